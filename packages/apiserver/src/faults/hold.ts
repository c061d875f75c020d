import { isChosen, type OpenWatch, type WatchHub, type WatchSelector } from "../store/watch-hub.js";

/** A hold on watch events. */
export interface Hold {
  /** Number of events held back. */
  readonly pending: number;
  /**
   * Releases the next `count` events of each watch, in order. Default: all events held now; later ones are held back
   * again.
   *
   * @returns the number of released events.
   */
  release(count?: number): number;
  /** Releases all events and stops holding. */
  end(): void;
  [Symbol.dispose](): void;
}

/**
 * Holds back the events of open and future watches, except their initial events. A watch that ends loses its held
 * events; a client that resumes gets them from the history, where they are held again.
 */
export function holdWatches(watches: WatchHub, choice: WatchSelector): Hold {
  const held = new Map<OpenWatch, () => void>();
  const take = (watch: OpenWatch) => {
    if (isChosen(watch, choice)) {
      held.set(watch, watch.queue.hold());
    }
  };
  const living = () => {
    for (const watch of held.keys()) {
      if (watch.queue.ended) {
        held.delete(watch);
      }
    }
    return [...held.keys()];
  };
  watches.all().forEach(take);
  const forget = watches.onOpen(take);
  const end = () => {
    forget();
    for (const letGo of held.values()) {
      letGo();
    }
    held.clear();
  };
  return {
    get pending() {
      return living().reduce((sum, { queue }) => sum + queue.held, 0);
    },
    release: (count = Number.POSITIVE_INFINITY) =>
      living().reduce((sum, { queue }) => sum + queue.release(count), 0),
    end,
    [Symbol.dispose]: end,
  };
}
