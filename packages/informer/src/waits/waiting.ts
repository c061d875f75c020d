import type { KubeObject, Live, ResourceDescriptor, Verb } from "@typekube/api";
import type { ClientCore, FieldsOption, KindReference, Projected, Whole } from "@typekube/client";
import type { ObjectCondition } from "../conditions/object-condition.js";
import { type WaitForOptions, waitFor } from "./wait-for.js";

/** Waits for one object of a resource in its namespace. */
export interface Waiting<T extends KubeObject> {
  /** Waits as below, and keeps some fields of the object; those that the `conditions` read come too. */
  waitFor<const P extends string>(
    name: string,
    condition: ObjectCondition<Projected<T, P>>,
    options: Omit<WaitForOptions, "namespace"> & FieldsOption<T, P>,
  ): Promise<Live<Projected<T, P>> | undefined>;
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
    options?: Omit<WaitForOptions, "namespace"> & Whole,
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
  const wait = {
    waitFor: (name: string, condition: ObjectCondition<KubeObject>, options: object = {}) =>
      waitFor(client, type as ResourceDescriptor, name, condition, {
        ...options,
        ...(namespace === undefined ? {} : { namespace }),
      }),
  };
  return Object.assign(resource, wait as Waiting<KubeObject>);
}
