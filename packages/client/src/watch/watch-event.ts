import type { KubeObject, Live } from "@typekube/api";
import type { ObjectMeta } from "@typekube/api/meta/v1";

/**
 * An object was added, modified or deleted. `DELETED` carries the object's last state, with the resourceVersion of the
 * deletion.
 */
export interface ObjectEvent<T extends KubeObject = KubeObject> {
  readonly type: "ADDED" | "DELETED" | "MODIFIED";
  /** The object after the change; for `DELETED` its last state. */
  readonly object: Live<T>;
}

/** Everything up to `metadata.resourceVersion` has been sent. The object has no spec and no status. */
export interface BookmarkEvent {
  readonly type: "BOOKMARK";
  /** An object that has only a kind and metadata with the resourceVersion. */
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: ObjectMeta & { resourceVersion: string };
  };
}

/** An event that a watch yields. An `ERROR` of the server is thrown instead. */
export type WatchEvent<T extends KubeObject = KubeObject> = BookmarkEvent | ObjectEvent<T>;

/** Annotation of the bookmark that ends the initial events. */
export const initialEventsEndAnnotation = "k8s.io/initial-events-end";

/** Returns true for the bookmark that ends the initial events. Other bookmarks may come before it. */
export function endsInitialEvents(event: BookmarkEvent): boolean {
  return event.object.metadata.annotations?.[initialEventsEndAnnotation] === "true";
}
