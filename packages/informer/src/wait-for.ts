import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { Client, KindOf, KindReference } from "@typekube/client";
import type { Clock } from "@typekube/core";
import { systemClock } from "@typekube/core";
import { Store } from "./store/store.js";
import { type UntilOptions, watchStore } from "./until.js";
import { sourceOf } from "./watcher/source-of.js";
import type { WatchSource } from "./watcher/watch-source.js";

/** How long {@link waitFor} waits, and how it follows the object. */
export type WaitForOptions = Omit<UntilOptions, "fieldSelector" | "labelSelector" | "precondition">;

/** Whether an object is as one wants it; `undefined` when there is none. */
export type ObjectCondition<T extends KubeObject> = (
  object: Live<T> | undefined,
) => boolean | Promise<boolean>;

/**
 * Waits until one object is as it should be, now or later, as `kubectl wait` does.
 *
 * @returns the object; `undefined` when the condition holds without one.
 * @throws {KubeError} as {@link until}.
 *
 * @example
 * await waitFor(client, Pod, "web-0", (pod) => pod?.status?.phase === "Running", { namespace: "prod", timeoutMs: 60_000 });
 * await waitFor(client, Pod, "web-0", (pod) => pod === undefined, { namespace: "prod" });
 */
export async function waitFor<T extends KubeObject>(
  client: Client,
  type: ResourceDescriptor<T>,
  name: string,
  condition: ObjectCondition<T>,
  options?: WaitForOptions,
): Promise<Live<T> | undefined>;
export async function waitFor<const R extends KindReference>(
  client: Client,
  type: R & { readonly plural?: never },
  name: string,
  condition: ObjectCondition<KindOf<R>>,
  options?: WaitForOptions,
): Promise<Live<KindOf<R>> | undefined>;
export async function waitFor(
  client: Client,
  type: KindReference | ResourceDescriptor,
  name: string,
  condition: ObjectCondition<KubeObject>,
  options: WaitForOptions = {},
): Promise<unknown> {
  return waitForOf(sourceOf(client, type, options), name, condition, options, client.context.clock);
}

/** {@link waitFor} on anything that lists and watches. */
export async function waitForOf<T extends KubeObject>(
  source: WatchSource,
  name: string,
  condition: ObjectCondition<T>,
  options: WaitForOptions = {},
  clock: Clock = systemClock,
): Promise<Live<T> | undefined> {
  const store = new Store<T>();
  const one = { ...options, fieldSelector: { "metadata.name": name } };
  return watchStore(source, store, one, clock, async () => {
    const [object] = store.values();
    return (await condition(object)) ? { result: object } : undefined;
  });
}
