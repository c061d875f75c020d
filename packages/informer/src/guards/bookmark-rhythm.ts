/** Maximum factor by which the silence limit of a watch grows. */
const mostPatience = 8;

/**
 * Learns from a server's bookmarks how long a watch may be silent. Bookmarks arrive every minute, but without
 * guarantee: a server that has just started sends none for a quiet resource until etcd reports progress, which may take
 * minutes (measured with 1.37.1: once the first took two). So each watch that is cut for silence doubles the limit of
 * the next one, until a bookmark arrives.
 */
export class BookmarkRhythm {
  readonly #idleMs: number;
  #isKnown = false;
  #patience = 1;

  /** @param idleMs - milliseconds of silence after which a watch with bookmarks counts as dead. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** Milliseconds that a watch may be silent; `undefined` while no bookmark was seen, so silence means nothing. */
  get idleMs(): number | undefined {
    return this.#isKnown ? this.#idleMs * this.#patience : undefined;
  }

  /**
   * Called for the end bookmark of a snapshot, or for a bookmark older than the known resourceVersion: the server
   * supports bookmarks, but this one does not predict when the next useful one will arrive.
   */
  begin(): void {
    this.#isKnown = true;
  }

  /** Called for any other bookmark. */
  beat(): void {
    this.#isKnown = true;
    this.#patience = 1;
  }

  /** Called when a watch was cut because it was silent. */
  wasSilent(): void {
    this.#patience = Math.min(2 * this.#patience, mostPatience);
  }
}
