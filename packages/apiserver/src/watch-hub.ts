/** A watch that is open, as far as the server must be able to end it. */
export interface OpenWatch {
  /** The plural name of what is watched. */
  readonly resource: string;
  /** Where its objects are kept. */
  readonly storage: string;
  /** Ends the stream after what is already queued. */
  end(): void;
  /** Ends the stream as a dying connection would: nothing more comes, the reader sees an error. */
  drop(): void;
}

/** All open watches of a server. */
export class WatchHub {
  readonly #open = new Set<OpenWatch>();

  /** How many watches are open. */
  get size(): number {
    return this.#open.size;
  }

  add(watch: OpenWatch): void {
    this.#open.add(watch);
  }

  remove(watch: OpenWatch): void {
    this.#open.delete(watch);
  }

  /** Breaks the watches of one resource, or all of them. */
  drop(resource?: string): number {
    const chosen = [...this.#open].filter(
      (watch) => resource === undefined || watch.resource === resource,
    );
    for (const watch of chosen) {
      watch.drop();
    }
    return chosen.length;
  }

  /** Ends the watches of one place in good order: what is kept there is not served as it was any more. */
  endStorage(storage: string): void {
    for (const watch of [...this.#open]) {
      if (watch.storage === storage) {
        watch.end();
      }
    }
  }

  /** Ends every watch in good order. */
  endAll(): void {
    for (const watch of [...this.#open]) {
      watch.end();
    }
  }
}
