import type { Status } from "@typekube/core";
import type { WireWatchEvent } from "@typekube/core/internal";
import type { EventQueue } from "./event-queue.js";

/** Properties of an open watch. */
export interface WatchDetails {
  /** Sequence number of the watch on its server, from 1. */
  readonly id: number;
  /** Plural name of the watched resource. */
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** Name of the watch's user. */
  readonly user: string | undefined;
}

/** An open watch, with the operations that end it or hold it back. */
export interface OpenWatch extends WatchDetails {
  /** Storage of the watched objects. */
  readonly storage: string;
  readonly queue: EventQueue<WireWatchEvent>;
  /** Ends the stream after the events already queued. */
  end(): void;
  /** Ends the stream with an ERROR event after the events already queued. */
  fail(status: Status): void;
  /** Breaks the stream like a lost connection: queued events are dropped, and the reader gets an error. */
  drop(): void;
}

/** Selects watches by their properties. */
export interface WatchSelector {
  /** Plural name of the resource; absent: all. */
  readonly resource?: string | undefined;
  /** Namespace of the watch, "" for a watch of all namespaces; absent: every watch. */
  readonly namespace?: string | undefined;
  /** Name of the watch's user. */
  readonly user?: string | undefined;
  /** Number of one watch. */
  readonly watch?: number | undefined;
}

/** Returns whether a watch is selected. */
export function isChosen(watch: WatchDetails, { watch: id, ...choice }: WatchSelector): boolean {
  const keys = ["resource", "namespace", "user"] as const;
  return (
    (id === undefined || id === watch.id) &&
    keys.every((key) => choice[key] === undefined || choice[key] === watch[key])
  );
}

/** All open watches of a server. */
export class WatchHub {
  readonly #open = new Set<OpenWatch>();
  readonly #openings = new Set<(watch: OpenWatch) => void>();
  #count = 0;
  #taken = 0;

  /** Number of open watches. */
  get size(): number {
    return this.#open.size;
  }

  /** Number of events that are ready to be read. */
  get unread(): number {
    return this.all().reduce((sum, { queue }) => sum + queue.size, 0);
  }

  /** Number of times that readers have taken events so far. */
  get taken(): number {
    return this.all().reduce((sum, { queue }) => sum + queue.taken, this.#taken);
  }

  /** Returns a number for a new watch. */
  nextId(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Returns the open watches, oldest first. */
  all(): OpenWatch[] {
    return [...this.#open];
  }

  /** Calls `opening` with each new watch before its first event. Returns a function that unsubscribes. */
  onOpen(opening: (watch: OpenWatch) => void): () => void {
    this.#openings.add(opening);
    return () => this.#openings.delete(opening);
  }

  add(watch: OpenWatch): void {
    this.#open.add(watch);
    for (const opening of this.#openings) {
      opening(watch);
    }
  }

  remove(watch: OpenWatch): void {
    if (this.#open.delete(watch)) {
      this.#taken += watch.queue.taken;
    }
  }

  /** Breaks the selected watches; returns their number. */
  drop(choice: WatchSelector = {}): number {
    const chosen = this.all().filter((watch) => isChosen(watch, choice));
    for (const watch of chosen) {
      watch.drop();
    }
    return chosen.length;
  }

  /** Ends the watches of one storage regularly, because its objects are no longer served as before. */
  endStorage(storage: string): void {
    for (const watch of this.all()) {
      if (watch.storage === storage) {
        watch.end();
      }
    }
  }

  /** Ends every watch regularly. */
  endAll(): void {
    for (const watch of this.all()) {
      watch.end();
    }
  }
}
