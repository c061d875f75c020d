import type { KubeObject, Live } from "@typekube/api";
import { type ChangeHandler, objectKey } from "@typekube/informer";
import { kindId } from "../definition/any-kind.js";
import type { Keys } from "../definition/controller-options.js";
import type { DeclaredKind } from "../definition/kind-choice.js";
import { keyOf } from "../definition/object-key.js";
import type { ChangeFilter } from "../definition/predicates.js";
import { mappedTriggers, type TriggerContext } from "./triggers.js";

/** Keys that are queued before the event loop gets its turn. */
const keysPerTurn = 1_000;

/**
 * Returns the handler of a watch with `map`, for the old and the new state of each change. A map that returns a promise
 * is awaited, the changes of one object in their order; one that throws is reported, and the other changes go on.
 */
export function watchedByMap(
  context: TriggerContext,
  declared: DeclaredKind,
  map: (object: Live<KubeObject>) => Keys,
  when: ChangeFilter | undefined,
): ChangeHandler {
  const { log, controller } = context;
  const id = kindId(declared.kind);
  const waiting = new Map<string, Promise<void>>();
  const failed = (error: unknown) => {
    log.error(`the map of ${controller.name} for ${id} threw`, error);
    return [];
  };
  const queueLater = (keys: readonly string[], from: number) =>
    setImmediate(() => {
      for (const key of keys.slice(from, from + keysPerTurn)) {
        context.target.trigger(key, { type: "update" });
      }
      if (from + keysPerTurn < keys.length) {
        queueLater(keys, from + keysPerTurn);
      }
    });
  /** Returns the first keys; queues the others later. */
  const inTurns = (keys: Iterable<string>): string[] => {
    const all = [...new Set(keys)];
    if (all.length > keysPerTurn) {
      queueLater(all, keysPerTurn);
    }
    return all.slice(0, keysPerTurn);
  };
  const keysOf = (object: Live<KubeObject>): Iterable<string> => {
    let keys: Keys;
    try {
      keys = map(object);
    } catch (error) {
      return failed(error);
    }
    if (!(keys instanceof Promise)) {
      return inTurns([...(keys ?? [])].map((key) => keyOf(key)));
    }
    const place = objectKey(object);
    const mapped = keys.then((found) => [...(found ?? [])].map((key) => keyOf(key)), failed);
    const before = waiting.get(place) ?? Promise.resolve();
    const turn = before
      .then(() => mapped)
      .then((found) => {
        for (const key of inTurns(found)) {
          context.target.trigger(key, { type: "update", object: `${id} ${place}` });
        }
      })
      .finally(() => {
        if (waiting.get(place) === turn) {
          waiting.delete(place);
        }
      });
    waiting.set(place, turn);
    return [];
  };
  return mappedTriggers(context, declared, keysOf, when);
}
