import type { WatchSubject } from "./watch-subject.js";

/** Knowledge about a server's streaming lists of one resource. All that follow the resource on one connection share it. */
export interface StreamingLists {
  /** `true` when streaming lists were rejected or never completed, while a list in their place was. */
  areMissing: boolean;
  /** Number of consecutive responses without an event. */
  silent: number;
}

/** Returns knowledge without any facts yet. */
export function unknownStreamingLists(): StreamingLists {
  return { areMissing: false, silent: 0 };
}

/** By the object that the clients on one connection share, then by resource. */
const learned = new WeakMap<object, Map<string, StreamingLists>>();

/**
 * Returns the knowledge about a resource on a connection. Finding out takes a deadline, which only the first watcher
 * should wait for.
 */
export function streamingListsOf(
  connection: object,
  { apiVersion, resource }: WatchSubject,
): StreamingLists {
  let ofConnection = learned.get(connection);
  if (ofConnection === undefined) {
    ofConnection = new Map();
    learned.set(connection, ofConnection);
  }
  const key = `${apiVersion} ${resource}`;
  let known = ofConnection.get(key);
  if (known === undefined) {
    known = unknownStreamingLists();
    ofConnection.set(key, known);
  }
  return known;
}
