import type { KubeObject, Live, ResourceDescriptor, Verb } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import type { KindReference } from "@typekube/client/internal";
import type { ObjectCondition } from "./conditions/object-condition.js";
import { type WaitForOptions, waitFor } from "./wait-for.js";

/** Waiting for one object of a resource in its namespace. */
export interface Waiting<T extends KubeObject> {
  /**
   * Waits until an object is as it should be, now or later, over whatever breaks on the way.
   *
   * @returns the object; `undefined` when the condition holds without one.
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`, with what was seen last; `NeverMet` when it cannot come to pass any more;
   * `Forbidden` or `Unauthorized` when the collection cannot be looked at. The signal's reason as it is.
   *
   * @example
   * await pods.waitFor("web-0", ready(), { timeoutMs: 60_000 });
   * await pods.waitFor("web-0", (pod) => pod?.status?.phase === "Running");
   */
  waitFor(
    name: string,
    condition: ObjectCondition<T>,
    options?: Omit<WaitForOptions, "namespace">,
  ): Promise<Live<T> | undefined>;
}

/** {@link Waiting} for what can be listed and watched. */
export type WaitingWith<T extends KubeObject, V extends Verb> = "list" | "watch" extends V
  ? Waiting<T>
  : unknown;

/** Gives the client of a resource its `waitFor`. */
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
