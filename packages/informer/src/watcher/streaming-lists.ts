import type { WatchSubject } from "./watch-source.js";

/** What was learned of a server's streaming lists of one resource. Everything that follows it on one connection shares this. */
export interface StreamingLists {
  /** They were refused, or never came to their end, while a list in their place was whole. */
  areMissing: boolean;
  /** Answers in a row without one event. */
  silent: number;
}

/** Nothing is known yet. */
export function unknownStreamingLists(): StreamingLists {
  return { areMissing: false, silent: 0 };
}

/** By what the clients on one connection have in common, then by resource. */
const learned = new WeakMap<object, Map<string, StreamingLists>>();

/** What is known of a resource on a connection. Who finds out waits a deadline for it; nobody after should. */
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
