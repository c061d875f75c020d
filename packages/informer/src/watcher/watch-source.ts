import type { Scope } from "@typekube/api";
import type { Encoding, ListOptions, WatchOptions } from "@typekube/client";
import type { ReadSupervisor } from "@typekube/client/internal";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";
import type { StreamingLists } from "./streaming-lists.js";

/** What is followed, known before the server was asked. */
export interface WatchSubject {
  readonly apiVersion: string;
  /** The plural; of a kind that discovery has not found yet, the kind. */
  readonly resource: string;
  /** Absent: all namespaces, or a cluster-wide resource. */
  readonly namespace?: string | undefined;
}

/** All that a watcher needs of a client; `client.reader()` is one, a test may write another. */
export interface WatchSource {
  /** For those who look on from outside (`typekube:watch.state`). */
  readonly subject?: WatchSubject | undefined;
  /** Aborted, with the error to end with, when nothing can be asked any more: the client is closed. */
  readonly closed?: AbortSignal | undefined;
  /** How bodies come where nothing else is asked for. Default `auto`. */
  readonly encoding?: Encoding | undefined;
  /** What is known of streaming lists of the resource, by whoever follows it. Absent: each watcher finds out itself. */
  readonly streamingLists?: StreamingLists | undefined;
  /** The resource, for messages and to tell its objects from others; the scope where it is known. */
  descriptor(options?: { readonly signal?: AbortSignal }): Promise<{
    readonly kind: string;
    readonly plural: string;
    readonly scope?: Scope | undefined;
  }>;
  /** One list request, the parts as their bytes arrive. */
  listParts(options: ListOptions, supervisor?: ReadSupervisor): AsyncIterable<ListPart>;
  /**
   * One watch request, every event as it was sent. `onResponse` is to be called when the answer has begun: a server that has nothing to
   * tell is not one that does not answer. The first group of events says as much.
   */
  watchBatches(
    options: WatchOptions,
    supervisor?: ReadSupervisor,
  ): AsyncIterable<readonly WireWatchEvent[]>;
}
