import type { StoreEvent } from "../store/history.js";

/**
 * Milliseconds of the server's clock between a change and what a controller does about it. Controllers of a cluster read
 * from a watch and are never faster than a client that updates what it has just created.
 */
export const reactionDelayMs = 50;

/** A wait of a controller that is more than a plain number of milliseconds. */
export interface Wait {
  readonly afterMs: number;
  /**
   * `reaction`: part of the reaction to a change, so that `settled()` lets it pass. `background`: does not keep the process
   * running.
   */
  readonly kind: "background" | "reaction";
}

/** The result of a reconcile: milliseconds of the server's clock until the next one, `undefined` when only a change needs one. */
export type Reconciled = number | Wait | undefined;

/** One control loop: which changes concern it, and what it does about them. */
export interface Controller {
  /** Unique; part of no object. */
  readonly name: string;
  /** Where the objects are kept whose changes matter to it. Absent: everywhere. */
  readonly follows?: readonly string[];
  /** Milliseconds between a change and the reconcile. Default {@link reactionDelayMs}; 0 is for those that only begin a wait. */
  readonly delayMs?: number;
  /** The keys to look at after an event. Runs inside the write and changes nothing. */
  keysOf(event: StoreEvent, storage: string): Iterable<string>;
  /** Brings the world nearer to what is wanted. What it throws is tried again later. */
  reconcile(key: string): Promise<Reconciled> | Reconciled;
}
