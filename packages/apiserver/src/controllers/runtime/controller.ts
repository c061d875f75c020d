import type { StoreEvent } from "../../store/history.js";

/**
 * Milliseconds of the server's clock between a change and a controller's reaction. Controllers of a cluster read from a
 * watch, so they are never faster than a client that updates an object that it has just created.
 */
export const reactionDelayMs = 50;

/** A wait of a controller with a kind, where plain milliseconds don't suffice. */
export interface Wait {
  readonly afterMs: number;
  /**
   * `reaction`: belongs to the reaction to a change, so `settled()` advances a virtual clock past it. `background`:
   * does not keep the process running.
   */
  readonly kind: "background" | "reaction";
}

/**
 * Result of a reconcile: milliseconds of the server's clock until the next one, `undefined` when only a change requires
 * one.
 */
export type Reconciled = number | Wait | undefined;

/** A control loop: the changes that it follows, and its reaction to them. */
export interface Controller {
  /** Unique name; does not appear in objects. */
  readonly name: string;
  /** Storages whose changes the controller follows. Absent: all. */
  readonly follows?: readonly string[];
  /**
   * Milliseconds between a change and the reconcile. Default {@link reactionDelayMs}; 0 suits controllers that only
   * start a wait.
   */
  readonly delayMs?: number;
  /** Returns the keys to reconcile after an event. Runs during the write and must not change anything. */
  keysOf(event: StoreEvent, storage: string): Iterable<string>;
  /**
   * Brings the state closer to the desired one. After an error it is retried with back-off. An error other than a
   * rejected write (`StatusError`) is reported.
   */
  reconcile(key: string): Promise<Reconciled> | Reconciled;
}
