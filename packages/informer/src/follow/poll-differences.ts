import type { KubeObject } from "@typekube/api";
import { cloneJson } from "@typekube/core/internal";
import type { Change } from "../events/change.js";
import type { FollowEvent } from "../events/follow-event.js";
import { Reflector } from "../store/reflector.js";
import { Store } from "../store/store.js";
import { isSlowReader } from "../watcher/slow-reader.js";

/**
 * Turns the lists of a polling watcher into the events of a watch: the first list stays a snapshot, each later one
 * becomes the differences from the list before, as one group when it is complete. A list that fails leaves no gap,
 * since the next one is compared with the last complete one. Only a slow reader, whose unread differences were dropped,
 * gets a gap and a new snapshot.
 *
 * @param run - groups of a watcher's events. An error thrown into this generator is passed on to it.
 */
export async function* pollDifferences<T extends KubeObject>(
  run: AsyncGenerator<readonly FollowEvent<T>[], void>,
): AsyncGenerator<readonly FollowEvent<T>[], void> {
  const reflector = new Reflector<T>(new Store<T>());
  /** `true` while the reader receives a snapshot. */
  let isSnapshot = true;
  try {
    let result = await run.next();
    while (!result.done) {
      const events = result.value;
      isSnapshot ||= events.some((event) => event.type === "gap" && isSlowReader(event.cause));
      let group: readonly FollowEvent<T>[];
      if (isSnapshot) {
        // The reader may modify its objects.
        reflector.take(events.map(copied));
        isSnapshot = events.at(-1)?.type !== "synced";
        group = events;
      } else {
        group = differences(reflector.take(events), events.at(-1));
      }
      let failure: { readonly error: unknown } | undefined;
      if (group.length > 0) {
        try {
          yield group;
        } catch (error) {
          failure = { error };
        }
      }
      result = failure === undefined ? await run.next() : await run.throw(failure.error);
    }
  } finally {
    await run.return();
  }
}

/** Returns the events of a complete list, and none of an incomplete one. */
function differences<T extends KubeObject>(
  changes: readonly Change<T>[],
  last: FollowEvent<T> | undefined,
): FollowEvent<T>[] {
  const events = changes.flatMap(eventsOf);
  if (last?.type === "synced" && last.resourceVersion !== "") {
    events.push({ type: "bookmark", resourceVersion: last.resourceVersion });
  }
  return events;
}

function eventsOf<T extends KubeObject>(change: Change<T>): FollowEvent<T>[] {
  switch (change.type) {
    case "add":
      return [{ type: "applied", object: cloneJson(change.object), created: true }];
    case "update":
      return [{ type: "applied", object: cloneJson(change.object) }];
    case "replaced":
      return [
        { type: "deleted", object: change.previous },
        { type: "applied", object: cloneJson(change.object), created: true },
      ];
    case "delete":
      return [{ type: "deleted", object: change.object }];
    default:
      return change satisfies never;
  }
}

function copied<T extends KubeObject>(event: FollowEvent<T>): FollowEvent<T> {
  return event.type === "initial" ? { ...event, object: cloneJson(event.object) } : event;
}
