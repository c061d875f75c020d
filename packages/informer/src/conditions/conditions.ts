import { jsonPath } from "./json-path.js";
import { available, complete, deleted, exists, failed, ready } from "./named-conditions.js";
import type { DescribedCondition } from "./object-condition.js";
import { rolledOut } from "./rolled-out.js";
import { condition } from "./status-condition.js";

/** Conditions for `waitFor`, each made by a call. */
export interface Conditions {
  /** Waits until the object exists. */
  exists(): DescribedCondition;
  /**
   * Waits until the object is gone.
   *
   * @param uid - the object that is meant: an object that took its name since counts as its deletion. Default: any of the name.
   */
  deleted(uid?: string): DescribedCondition;
  /** Waits for the condition `Ready`: of a Pod, a Node, most custom resources. */
  ready(): DescribedCondition;
  /**
   * Waits for the condition `Available`: of a Deployment, an APIService. The condition of a Deployment has no generation of its own and
   * stays true while a change is rolled out: use {@link rolledOut} after a change.
   */
  available(): DescribedCondition;
  /**
   * Waits until the newest spec of a Deployment, StatefulSet or DaemonSet runs everywhere, as `kubectl rollout status`: the controller
   * has seen it (`observedGeneration`), all replicas are updated and available, and no old one is left.
   *
   * @throws {KubeError} out of the wait, `NeverMet`, for a Deployment that exceeded its progress deadline, an update strategy that rolls
   *   nothing out, and other kinds.
   *
   * @example
   * await deployments.waitFor("web", conditions.rolledOut(), { timeoutMs: 300_000 });
   */
  rolledOut(): DescribedCondition;
  /**
   * Waits for the condition `Complete` of a Job.
   *
   * @throws {KubeError} out of the wait, `NeverMet`, as soon as the Job has failed.
   */
  complete(): DescribedCondition;
  /**
   * Waits for the condition `Failed` of a Job.
   *
   * @throws {KubeError} out of the wait, `NeverMet`, as soon as the Job is complete.
   */
  failed(): DescribedCondition;
  /**
   * Waits for a condition of `status.conditions`. A status that the controller wrote before it saw the newest spec
   * (`observedGeneration`) does not count, as for `kubectl wait`.
   *
   * @param type - the type of the condition, in any case: `Ready`.
   * @param status - default `True`.
   * @throws {KubeError} `InvalidArgument` for an empty type or status.
   *
   * @example
   * await client.resource(Node).waitFor("node-1", conditions.has("Ready"), { timeoutMs: 60_000 });
   */
  has(type: string, status?: string): DescribedCondition;
  /**
   * Waits for a value in the object, as `kubectl wait --for=jsonpath=...`: keys (`.status.phase`, `['a.b']`), indices (`[0]`,
   * `[-1]`) and the filter `[?(@.type=="Ready")]`, with or without braces around it all. Numbers and booleans are compared as text.
   *
   * @param path - `.status.phase`.
   * @param value - default: any value but null.
   * @throws {KubeError} `InvalidArgument` for a path that cannot be read, or a value of another type.
   *
   * @example
   * await pods.waitFor("web-0", conditions.jsonPath(".status.phase", "Running"));
   */
  jsonPath(path: string, value?: boolean | number | string): DescribedCondition;
}

/** Conditions for `waitFor`: `pods.waitFor("web-0", conditions.ready())`. */
export const conditions: Conditions = {
  available,
  complete,
  deleted,
  exists,
  failed,
  has: condition,
  jsonPath,
  ready,
  rolledOut,
};
