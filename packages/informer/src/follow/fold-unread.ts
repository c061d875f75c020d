import type { KubeObject } from "@typekube/api";
import type { FollowEvent } from "../events/follow-event.js";
import { objectKey } from "../store/object-key.js";

/** Positions of the unread events of one object. */
interface Places {
  stateAt?: number | undefined;
  deletedAt?: number | undefined;
  /** `true` when the reader does not know the object: an unread event reports its creation. */
  isCreated: boolean;
}

/**
 * Reduces unread events to the fewest that lead a reader to the same state. Each object keeps its last state at the place of that
 * state, so resourceVersions keep increasing and no event moves behind a bookmark. (A queue of changes keeps the first
 * place instead, because nothing resumes from it.) An object that was created and deleted unread is dropped. Events before a
 * gap are dropped, because a snapshot follows it.
 *
 * @param isInSnapshot - `true` when the first event belongs to a snapshot in progress.
 * @returns the events, and the number of changes after the last snapshot.
 */
export function foldUnread<T extends KubeObject>(
  unread: readonly FollowEvent<T>[],
  isInSnapshot: boolean,
): { readonly events: FollowEvent<T>[]; readonly changes: number } {
  const lastGap = unread.findLastIndex(({ type }) => type === "gap");
  const folded: (FollowEvent<T> | undefined)[] = [];
  const objects = new Map<string, Places>();
  let isSnapshot = isInSnapshot;
  let bookmarkAt: number | undefined;
  const forget = (place: number | undefined) => {
    if (place !== undefined) {
      folded[place] = undefined;
    }
  };
  const placesOf = (object: KubeObject): Places => {
    const key = objectKey(object);
    let places = objects.get(key);
    if (places === undefined) {
      places = { isCreated: false };
      objects.set(key, places);
    }
    return places;
  };
  for (let i = Math.max(0, lastGap); i < unread.length; i++) {
    const event = unread[i] as FollowEvent<T>;
    switch (event.type) {
      case "gap":
      case "synced":
        isSnapshot = event.type === "gap";
        objects.clear();
        bookmarkAt = undefined;
        break;
      case "bookmark":
        forget(bookmarkAt);
        bookmarkAt = folded.length;
        break;
      case "initial":
      case "applied": {
        const places = placesOf(event.object);
        if (places.stateAt === undefined) {
          places.isCreated = event.type === "applied" && event.created === true;
        }
        forget(places.stateAt);
        places.stateAt = folded.length;
        if (places.isCreated && event.type === "applied" && !event.created) {
          folded.push({ ...event, created: true });
          continue;
        }
        break;
      }
      case "deleted": {
        const places = placesOf(event.object);
        forget(places.stateAt);
        places.stateAt = undefined;
        if (places.isCreated) {
          places.isCreated = false;
          continue;
        }
        forget(places.deletedAt);
        places.deletedAt = folded.length;
        break;
      }
      default:
        event satisfies never;
    }
    folded.push(event);
  }
  const events = folded.filter((event) => event !== undefined);
  const changes = isSnapshot ? 0 : countChanges(events);
  return { events, changes };
}

function countChanges<T extends KubeObject>(events: readonly FollowEvent<T>[]): number {
  return events.length - 1 - events.findLastIndex(({ type }) => type === "synced");
}
