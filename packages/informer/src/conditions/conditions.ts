import { jsonPath } from "./json-path.js";
import { available, complete, deleted, exists, failed, ready } from "./named-conditions.js";
import type { DescribedCondition } from "./object-condition.js";
import { rolledOut } from "./rolled-out.js";
import { condition } from "./status-condition.js";

/** Conditions for `waitFor`. Each method creates one. */
export interface Conditions {
  /** Waits until the object exists. */
  exists(): DescribedCondition;
  /**
   * Waits until the object is gone.
   *
   * @param uid - uid of the object to wait for; another object under the same name then counts as its deletion.
   * Default: any object of the name.
   */
  deleted(uid?: string): DescribedCondition;
  /** Waits for the condition `Ready` of a Pod, a Node or most custom resources. */
  ready(): DescribedCondition;
  /**
   * Waits for the condition `Available` of a Deployment or an APIService. A Deployment's condition has no
   * `observedGeneration` of its own and stays true during a rollout: use {@link rolledOut} after a change.
   */
  available(): DescribedCondition;
  /**
   * Waits until the newest spec of a Deployment, StatefulSet or DaemonSet is rolled out, by the rules of `kubectl
   * rollout status`: the controller has observed it (`observedGeneration`), all replicas are updated and available, and
   * no old replica is left.
   *
   * @throws {KubeError} `NeverMet`, from the wait, for a Deployment that exceeded its progress deadline, an update
   * strategy that rolls nothing out (such as `OnDelete`), and other kinds.
   *
   * @example
   * ```ts
   * await deployments.waitFor("web", conditions.rolledOut(), { timeoutMs: 300_000 });
   * ```
   */
  rolledOut(): DescribedCondition;
  /**
   * Waits for the condition `Complete` of a Job.
   *
   * @throws {KubeError} `NeverMet`, from the wait, as soon as the Job has failed.
   */
  complete(): DescribedCondition;
  /**
   * Waits for the condition `Failed` of a Job.
   *
   * @throws {KubeError} `NeverMet`, from the wait, as soon as the Job is complete.
   */
  failed(): DescribedCondition;
  /**
   * Waits for a condition in `status.conditions`. As in `kubectl wait`, a status that the controller wrote before it
   * observed the newest spec (`observedGeneration`) does not count.
   *
   * @param type - type of the condition, case-insensitive: `Ready`.
   * @param status - status of the condition, case-insensitive. Default `True`.
   * @throws {KubeError} `InvalidArgument` for an empty type or status.
   *
   * @example
   * ```ts
   * await client.resource(Node).waitFor("node-1", conditions.has("Ready"), { timeoutMs: 60_000 });
   * ```
   */
  has(type: string, status?: string): DescribedCondition;
  /**
   * Waits for a value in the object, as `kubectl wait --for=jsonpath=...` does. The path takes keys (`.status.phase`,
   * `['a.b']`), indices (`[0]`, `[-1]`) and the filter `[?(@.type=="Ready")]`, with or without enclosing braces.
   * Numbers and booleans are compared as text.
   *
   * @param path - path of the value: `.status.phase`.
   * @param value - value to wait for. Default: any value but null.
   * @throws {KubeError} `InvalidArgument` for an invalid path, or a value of another type.
   *
   * @example
   * ```ts
   * await pods.waitFor("web-0", conditions.jsonPath(".status.phase", "Running"));
   * ```
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
