import type { KubeObject, Live, ResourceDescriptor, Verb } from "@typekube/api";
import type { ClientCore, KindReference } from "@typekube/client";
import type { ObjectCondition } from "../conditions/object-condition.js";
import { type WaitForOptions, waitFor } from "./wait-for.js";

/** Waits for one object of a resource in its namespace. */
export interface Waiting<T extends KubeObject> {
  /**
   * Waits until an object meets a condition, now or later, and retries failures along the way.
   *
   * @returns the object; `undefined` when the condition is met without an object.
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`, with the state seen last; `NeverMet` when the condition
   * can't be met any more; `Forbidden` or `Unauthorized` when the collection can't be read. The signal's reason is
   * thrown unchanged.
   *
   * @example
   * ```ts
   * await pods.waitFor("web-0", conditions.ready(), { timeoutMs: 60_000 });
   * await pods.waitFor("web-0", (pod) => pod?.status?.phase === "Running");
   * ```
   */
  waitFor(
    name: string,
    condition: ObjectCondition<T>,
    options?: Omit<WaitForOptions, "namespace">,
  ): Promise<Live<T> | undefined>;
}

/** {@link Waiting} for resources with the verbs list and watch. */
export type WaitingWith<T extends KubeObject, V extends Verb> = "list" | "watch" extends V
  ? Waiting<T>
  : unknown;

/** Adds `waitFor` to the client of a resource. */
export function withWaiting<R extends object>(
  resource: R,
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  namespace: string | undefined,
): R & Waiting<KubeObject> {
  const wait: Waiting<KubeObject> = {
    waitFor: (name, condition, options = {}) =>
      waitFor(client, type as ResourceDescriptor, name, condition, {
        ...options,
        ...(namespace === undefined ? {} : { namespace }),
      }) as Promise<Live<KubeObject> | undefined>,
  };
  return Object.assign(resource, wait);
}
