import { isChosen, type OpenWatch, type WatchChoice, type WatchHub } from "../watch/watch-hub.js";

/** Events of watches that are held back. */
export interface Hold {
  /** How many events wait. */
  readonly pending: number;
  /**
   * Lets each of the watches have its next `count` events, in their order. Default: all that wait by now; later ones
   * are held back again.
   *
   * @returns how many events that were.
   */
  release(count?: number): number;
  /** Lets everything through, from now on too. */
  end(): void;
  [Symbol.dispose](): void;
}

/**
 * Holds back the events of watches, of those that are open and of those that will be. What a watch begins with is not
 * held. A watch that ends loses what was held for it; whoever watches anew gets it from the history, and there it is
 * held again.
 */
export function holdWatches(watches: WatchHub, choice: WatchChoice): Hold {
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
