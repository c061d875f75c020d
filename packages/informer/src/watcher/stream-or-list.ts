import { type StreamingLists, unknownStreamingLists } from "./streaming-lists.js";
import type { WatcherSettings } from "./watcher-options.js";

/**
 * Streaming lists in a row that were answered and brought not one event, after which no more are asked for. One may be a server in
 * trouble, whose cache is behind; so is one that does not answer the list either which takes its place.
 */
const maxSilent = 2;

/** Whether a watcher looks at everything by a streaming list or by listing, and what it learns of that for others. */
export class StreamOrList {
  #canStream: boolean;
  /** Silent streaming lists in a row, anybody's, before the next one of this watcher. */
  #silentBefore = 0;
  /** It was seen that there are no streaming lists, but not yet that a list in their place is answered. */
  #foundMissing = false;
  readonly #known: StreamingLists;
  /** Who gives them up sooner, for want of time, does not know whether their end would have come: nobody is told. */
  readonly #isPatient: boolean;
  readonly #silences: Pick<StreamingLists, "silent">;

  /** @param known - what others know of the resource, and are to learn. */
  constructor(settings: WatcherSettings, known: StreamingLists = unknownStreamingLists()) {
    this.#canStream = settings.streamingList && !known.areMissing;
    this.#known = known;
    this.#isPatient = settings.initialEventsDeadlineMs >= settings.responseDeadlineMs;
    this.#silences = this.#isPatient ? known : unknownStreamingLists();
  }

  /** Decides for the look at everything that begins now. */
  streamsNow(): boolean {
    this.#silentBefore = this.#silences.silent;
    return this.#canStream;
  }

  /** The server refused a streaming list. */
  wasRefused(): void {
    this.#canStream = false;
    this.#foundMissing = true;
  }

  /**
   * The server, or something before it, accepted a streaming list and did not bring it to its end.
   *
   * @param isSilent - not one event came. One that sends events and never their end cannot stream, and is not asked again.
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

  /** A streaming list came to its end. */
  cameToItsEnd(): void {
    this.#silences.silent = 0;
    this.#known.silent = 0;
    this.#known.areMissing = false;
  }

  /**
   * A list failed, too: the silence before it was a server in trouble.
   *
   * @param isRefused - for what it asks for: that may have been what was wrong with the streaming list.
   */
  listFailed(isRefused: boolean): void {
    this.#silences.silent = 0;
    if (isRefused) {
      this.#foundMissing = false;
    }
  }

  /** Everything is here. What else was in the request was right, so it was the streaming list that the server could not bring. */
  snapshotIsComplete(): void {
    if (this.#foundMissing) {
      this.#known.areMissing = true;
      this.#foundMissing = false;
    }
  }
}
