import { type StreamingLists, unknownStreamingLists } from "../sources/streaming-lists.js";
import type { WatcherSettings } from "./watcher-options.js";

/**
 * Consecutive streaming lists with a response but without an event, after which no more are requested. One may come
 * from a server in trouble, with a lagging cache; so may one that is followed by a list without a response.
 */
const maxSilent = 2;

/**
 * Decides between a streaming list and a list for each snapshot of a watcher, and shares what it learns with other
 * watchers.
 */
export class StreamOrList {
  #canStream: boolean;
  /** Consecutive silent streaming lists, of any watcher, before the next one of this watcher. */
  #silentBefore = 0;
  /** `true` when the server was found to have no streaming lists, but no list in their place has succeeded yet. */
  #foundMissing = false;
  readonly #known: StreamingLists;
  /**
   * `false` when the watcher abandons streaming lists before the full deadline. It can't know if their end would have
   * come, so it shares nothing.
   */
  readonly #isPatient: boolean;
  readonly #silences: Pick<StreamingLists, "silent">;

  /** @param known - shared knowledge about the resource, read and updated. */
  constructor(settings: WatcherSettings, known: StreamingLists = unknownStreamingLists()) {
    this.#canStream = settings.streamingList && !known.areMissing;
    this.#known = known;
    this.#isPatient = settings.initialEventsDeadlineMs >= settings.responseDeadlineMs;
    this.#silences = this.#isPatient ? known : unknownStreamingLists();
  }

  /** Returns true when the snapshot that begins now should be a streaming list. */
  streamsNow(): boolean {
    this.#silentBefore = this.#silences.silent;
    return this.#canStream;
  }

  /** Called when the server rejected a streaming list. */
  wasRefused(): void {
    this.#canStream = false;
    this.#foundMissing = true;
  }

  /**
   * Called when the server, or a proxy, accepted a streaming list and did not complete it.
   *
   * @param isSilent - `true` when not one event arrived. A server that sends events but no end can't stream, and gets
   * no more streaming lists.
   */
  wasEndless(isSilent: boolean): void {
    if (isSilent) {
      this.#silences.silent = this.#silentBefore + 1;
    }
    if (!isSilent || this.#silences.silent >= maxSilent) {
      this.#canStream = false;
      this.#foundMissing = this.#isPatient;
    }
  }

  /** Called when a streaming list was completed. */
  completed(): void {
    this.#silences.silent = 0;
    this.#known.silent = 0;
    this.#known.areMissing = false;
  }

  /**
   * Called when a list failed too: the silence before it came from a server in trouble.
   *
   * @param isRefused - `true` when the server rejected the request's parameters: they may have been the problem of the
   * streaming list too.
   */
  listFailed(isRefused: boolean): void {
    this.#silences.silent = 0;
    if (isRefused) {
      this.#foundMissing = false;
    }
  }

  /** Called when a snapshot is complete. The other parameters of the request were valid, so the server could not stream. */
  snapshotIsComplete(): void {
    if (this.#foundMissing) {
      this.#known.areMissing = true;
      this.#foundMissing = false;
    }
  }
}
