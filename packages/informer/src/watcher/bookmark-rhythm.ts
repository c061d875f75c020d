/** How much longer than usual a watch may be silent, at most. */
const mostPatience = 8;

/**
 * How long a watch may be silent, learned from a server's bookmarks. They come every minute, but nobody promises that: a server that
 * has just started has none of a quiet resource until etcd tells it of progress, which may take minutes (measured with 1.37.1:
 * once the first came after two). So each silence that was taken for death makes the next one twice as long, until a bookmark comes.
 */
export class BookmarkRhythm {
  readonly #idleMs: number;
  #isKnown = false;
  #patience = 1;

  /** @param idleMs - milliseconds of silence after which a watch with bookmarks is dead. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** Milliseconds; `undefined` while silence means nothing. */
  get idleMs(): number | undefined {
    return this.#isKnown ? this.#idleMs * this.#patience : undefined;
  }

  /**
   * The bookmark that ends a picture came, or one from before the version known: the server knows bookmarks, but this one says
   * nothing of when the next will come that tells something.
   */
  begin(): void {
    this.#isKnown = true;
  }

  /** Another bookmark came. */
  beat(): void {
    this.#isKnown = true;
    this.#patience = 1;
  }

  /** A watch was given up because it was silent. */
  wasSilent(): void {
    this.#patience = Math.min(2 * this.#patience, mostPatience);
  }
}
