import type { KubeObject, Live } from "@typekube/api";
import { initialEventsEndAnnotation } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { WireWatchEvent } from "@typekube/core/internal";
import type { FollowEvent } from "../events/follow-event.js";
import { isOlderVersion } from "../versions/is-older-version.js";
import { isVersion } from "../versions/is-version.js";

/** A watch event that is no follow event, and the reason. */
export interface SkippedEvent {
  readonly type: "skipped";
  readonly cause: KubeError;
}

/**
 * Translates a watch event into a follow event.
 *
 * @param kind - the kind that is followed; events of other kinds are skipped.
 * @param isInitial - `true` while the initial events of a streaming list arrive.
 * @param since - resourceVersion up to which everything was delivered: an object added later is new, one that a server
 * repeats is not.
 * @returns the event; `undefined` for a bookmark among initial events that does not end them; the reason why the event
 * was skipped.
 */
export function translateEvent<T extends KubeObject>(
  event: WireWatchEvent,
  kind: string,
  isInitial: boolean,
  since = "",
): FollowEvent<T> | SkippedEvent | undefined {
  const object = event.object as Live<T> | null | undefined;
  const resourceVersion = object?.metadata?.resourceVersion;
  if (object?.kind !== kind) {
    const found = object?.kind === undefined ? "has no kind" : `has the kind ${object.kind}`;
    return skipped(kind, `of type ${event.type} whose object ${found}`);
  }
  // A bookmark consists of its resourceVersion; events of objects are delivered without one too. (RV4)
  if (event.type === "BOOKMARK" ? !isVersion(resourceVersion) : !object.metadata?.name) {
    const missing = event.type === "BOOKMARK" ? "valid resourceVersion" : "name";
    return skipped(kind, `of type ${event.type} whose object has no ${missing}`);
  }
  switch (event.type) {
    case "ADDED":
      if (!isInitial && isOlderVersion(since, resourceVersion)) {
        return { type: "applied", object, created: true };
      }
      return { type: isInitial ? "initial" : "applied", object };
    case "MODIFIED":
      return { type: isInitial ? "initial" : "applied", object };
    case "DELETED":
      return { type: "deleted", object };
    case "BOOKMARK":
      if (!isInitial) {
        return { type: "bookmark", resourceVersion: object.metadata.resourceVersion };
      }
      return object.metadata.annotations?.[initialEventsEndAnnotation] === "true"
        ? { type: "synced", resourceVersion: object.metadata.resourceVersion }
        : undefined;
    default:
      return skipped(kind, `of the unknown type ${event.type}`);
  }
}

function skipped(kind: string, what: string): SkippedEvent {
  const cause = new KubeError("Decode", `the watch of ${kind} skipped an event ${what}`);
  return { type: "skipped", cause };
}
