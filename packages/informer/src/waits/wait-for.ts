import type { KubeObject, Live, ResourceDescriptor, Scope } from "@typekube/api";
import type { ClientCore, KindReference, UnknownKind } from "@typekube/client";
import { type AnyFieldsOption, contextOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { assertKnownFields, type Clock, systemClock } from "@typekube/core/internal";
import { descriptionOf, lastSeen, type ObjectCondition } from "../conditions/object-condition.js";
import { assertWatching } from "../options/assert-watching.js";
import type { UntilOptions } from "../options/until-options.js";
import { sourceOf } from "../sources/source-of.js";
import type { WatchSource } from "../sources/watch-source.js";
import { Store } from "../store/store.js";
import { assertWaitFor } from "./assert-waiting.js";
import { watchStore } from "./until.js";
import { waitFields } from "./wait-fields.js";

/** Options of {@link waitFor}: how long it waits, and how it follows the object. */
export type WaitForOptions = Omit<
  UntilOptions,
  "fieldSelector" | "labelSelector" | "precondition" | "shard" | "shardSelector"
>;

/**
 * Waits until one object meets a condition, now or later, as `kubectl wait` does. {@link Conditions} has the common
 * conditions.
 *
 * @returns the object; `undefined` when the condition is met without an object.
 * @throws {KubeError} as {@link until}; the message of `DeadlineExceeded` contains the state seen last, or the reason
 * why none was seen. `NeverMet` from a condition that can't be met any more.
 *
 * @example
 * ```ts
 * await waitFor(client, Pod, "web-0", (pod) => pod?.status?.phase === "Running", { namespace: "prod", timeoutMs: 60_000 });
 * await waitFor(client, Pod, "web-0", (pod) => pod === undefined, { namespace: "prod" });
 * ```
 */
export async function waitFor<T extends KubeObject = UnknownKind>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor<T>,
  name: string,
  condition: ObjectCondition<T>,
  options: WaitForOptions = {},
): Promise<Live<T> | undefined> {
  assertWatching("waitFor", type, options);
  assertOneObject(type as KindReference & Partial<ResourceDescriptor>, name, options.namespace);
  const { fields } = options as AnyFieldsOption & WaitForOptions;
  const read = waitFields(condition, fields);
  if (fields !== undefined) {
    await assertKnownFields(type.apiVersion, type.kind, fields);
  }
  // Checked above: a condition may read fields that only some kinds have.
  const source = sourceOf(client, type, { ...options, fields: read, hasCheckedFields: true });
  const ofOneObject: WatchSource = {
    ...source,
    // For a kind that is not built in, only discovery knows if it is namespaced.
    descriptor: async (looking) => {
      const found = await source.descriptor(looking);
      assertOneObject(found, name, options.namespace);
      return found;
    },
  };
  return waitForOf(ofOneObject, name, condition, options, contextOf(client).clock);
}

/** Rejects a namespaced kind without a namespace: the name would be ambiguous. */
function assertOneObject(
  { kind, scope }: { readonly kind: string; readonly scope?: Scope | undefined },
  name: string,
  namespace: string | undefined,
): void {
  if (scope === "Namespaced" && namespace === undefined) {
    throw new KubeError("InvalidArgument", `${kind} "${name}" needs a namespace`, {
      hint: "use until() to watch all namespaces",
    });
  }
}

/** {@link waitFor} for any source that lists and watches. */
export async function waitForOf<T extends KubeObject>(
  source: WatchSource,
  name: string,
  condition: ObjectCondition<T>,
  options: WaitForOptions = {},
  clock: Clock = systemClock,
): Promise<Live<T> | undefined> {
  assertWaitFor(name, condition);
  const store = new Store<T>();
  const one = { ...options, fieldSelector: { "metadata.name": name } };
  let isFirstCheck = true;
  let seen: { readonly object: Live<T> | undefined } | undefined;
  const holds = async (object: Live<T> | undefined) => {
    seen = { object };
    return (await condition(object)) ? { result: object } : undefined;
  };
  return watchStore(
    source,
    store,
    one,
    clock,
    async (changes, signal) => {
      if (isFirstCheck && changes.length === 0) {
        isFirstCheck = false;
        return holds(undefined);
      }
      isFirstCheck = false;
      // Check each state, even one with a successor in the same group: a Job may be complete and gone in one group.
      for (const { type, object } of changes) {
        // Call no condition after the wait has ended.
        if (signal.aborted) {
          break;
        }
        // Deleted and recreated between two snapshots: the object was gone in between.
        const wasGone = type === "delete" || type === "replaced";
        const found =
          (wasGone && (await holds(undefined))) || (type !== "delete" && (await holds(object)));
        if (found) {
          return found;
        }
      }
      return undefined;
    },
    (lastError) => {
      const what = descriptionOf(condition) ?? "the condition";
      const found = seen
        ? lastSeen(condition, seen.object)
        : `it could not be read${lastError ? `: ${lastError.message}` : ""}`;
      return `${source.subject?.resource ?? "object"} "${name}": ${what} was not met (${found})`;
    },
  );
}
