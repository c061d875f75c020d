import type { StoreEvent } from "../store/history.js";

/** What a look at an object may say: milliseconds of the server's clock until it wants another one. */
export type Reconciled = number | undefined;

/** One control loop: which changes concern it, and what it does about them. */
export interface Controller {
  /** Unique; part of no object. */
  readonly name: string;
  /** Where the objects are kept whose changes matter to it. Absent: everywhere. */
  readonly follows?: readonly string[];
  /** The keys to look at after an event. Runs inside the write and changes nothing. */
  keysOf(event: StoreEvent, storage: string): Iterable<string>;
  /** Brings the world nearer to what is wanted. What it throws is tried again later. */
  reconcile(key: string): Promise<Reconciled> | Reconciled;
}
