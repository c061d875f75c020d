import type { Status } from "@typekube/core";
import type { WireWatchEvent } from "@typekube/core/internal";
import type { EventQueue } from "./event-queue.js";

/** What is known of a watch that is open. */
export interface WatchFacts {
  /** Counts the watches of a server, from 1. */
  readonly id: number;
  /** The plural name of what is watched. */
  readonly resource: string;
  /** Empty: all namespaces. */
  readonly namespace: string;
  readonly user: string | undefined;
}

/** A watch that is open, as far as the server must be able to end it and to hold it back. */
export interface OpenWatch extends WatchFacts {
  /** Where its objects are kept. */
  readonly storage: string;
  readonly queue: EventQueue<WireWatchEvent>;
  /** Ends the stream after what is already queued. */
  end(): void;
  /** Ends the stream with an ERROR event, after what is already queued. */
  fail(status: Status): void;
  /** Ends the stream as a dying connection would: nothing more comes, the reader sees an error. */
  drop(): void;
}

/** Chooses watches: by what they watch, by their number, by anything that is known of them. */
export interface WatchChoice {
  /** The plural name; absent: all. */
  readonly resource?: string | undefined;
  readonly namespace?: string | undefined;
  /** The name of the user whose watch it is. */
  readonly user?: string | undefined;
  /** The number of one watch. */
  readonly watch?: number | undefined;
}

/** Whether a watch is one of those that were chosen. */
export function isChosen(watch: WatchFacts, { watch: id, ...choice }: WatchChoice): boolean {
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

  /** How many watches are open. */
  get size(): number {
    return this.#open.size;
  }

  /** How many events wait for readers that could have them. */
  get unread(): number {
    return this.all().reduce((sum, { queue }) => sum + queue.size, 0);
  }

  /** Grows whenever a reader takes something. */
  get taken(): number {
    return this.all().reduce((sum, { queue }) => sum + queue.taken, this.#taken);
  }

  /** A number for a new watch. */
  nextId(): number {
    this.#count += 1;
    return this.#count;
  }

  /** The open watches, oldest first. */
  all(): OpenWatch[] {
    return [...this.#open];
  }

  /** Hears of each watch before its first event. Returns what ends that. */
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

  /** Breaks the watches that are chosen; returns how many. */
  drop(choice: WatchChoice = {}): number {
    const chosen = this.all().filter((watch) => isChosen(watch, choice));
    for (const watch of chosen) {
      watch.drop();
    }
    return chosen.length;
  }

  /** Ends the watches of one place in good order: what is kept there is not served as it was any more. */
  endStorage(storage: string): void {
    for (const watch of this.all()) {
      if (watch.storage === storage) {
        watch.end();
      }
    }
  }

  /** Ends every watch in good order. */
  endAll(): void {
    for (const watch of this.all()) {
      watch.end();
    }
  }
}
