import type { Scope } from "@typekube/api";
import type { Encoding, ListOptions, WatchOptions } from "@typekube/client";
import type { ReadSupervisor } from "@typekube/client/internal";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";
import type { StreamingLists } from "./streaming-lists.js";
import type { WatchSubject } from "./watch-subject.js";

/** The part of a client that a watcher needs. `readerOf(client, type)` returns one; a test may implement another. */
export interface WatchSource {
  /** The followed resource, for observers (`typekube:watch.state`). */
  readonly subject?: WatchSubject | undefined;
  /** Aborts when the client is closed and no request is possible, with the error to end with. */
  readonly closed?: AbortSignal | undefined;
  /** Encoding of bodies when the options name none. Default `auto`. */
  readonly encoding?: Encoding | undefined;
  /** Shared knowledge about streaming lists of the resource. If absent, each watcher finds out on its own. */
  readonly streamingLists?: StreamingLists | undefined;
  /** Returns the resource, for messages and to recognize its objects; with the scope where it is known. */
  descriptor(options?: { readonly signal?: AbortSignal }): Promise<{
    readonly kind: string;
    readonly plural: string;
    readonly scope?: Scope | undefined;
  }>;
  /** Sends one list request and yields its parts as the bytes arrive. */
  listParts(options: ListOptions, supervisor?: ReadSupervisor): AsyncIterable<ListPart>;
  /**
   * Sends one watch request and yields every event as it was sent. A source calls the supervisor's `onResponse` when the
   * response begins: a server without events must not look like one that does not respond. The first group of events
   * implies it.
   */
  watchBatches(
    options: WatchOptions,
    supervisor?: ReadSupervisor,
  ): AsyncIterable<readonly WireWatchEvent[]>;
}
