import type { Fencing } from "./running-run.js";

/** Decides which keys run in this process, when several processes share the keys. */
export interface RunGate {
  /** Returns whether a key is to be queued. */
  isOurs(key: string): boolean;
  /** Begins a run: returns the fence of its calls, or `undefined` when another process may run the key. */
  enter(key: string): Fencing | undefined;
  /**
   * Ends a run.
   *
   * @param isSettled - `true` when nothing is left to be done for the key.
   */
  leave(key: string, isSettled: boolean): void;
  /** Drops what is known about a key. */
  forget(key: string): void;
}
