import type { Client, InformerOptions } from "typekube";
import type { ConfigMap } from "typekube/api/core/v1";
import type { FollowerName, Weather } from "./faults/fault.js";
import type { Tally } from "./faults/tally.js";

/** Connection of one informer to the server, with its faults. */
export interface Way {
  readonly client: Client;
  readonly weather: Weather;
  readonly requests: Tally;
  /** Calls a listener with the resourceVersion that each watch starts from. */
  onWatch(listener: (from: string) => void): void;
  /** Options that informers need here in addition to their defaults. */
  readonly informerOptions?: Pick<
    InformerOptions<ConfigMap>,
    "backoff" | "idleMs" | "initialEventsDeadlineMs"
  >;
}

/** A server, the informers' connections to it, and the faults that it supports. */
export interface StormSubject extends AsyncDisposable {
  readonly name: string;
  /** Client without faults, for writes and checks. */
  readonly writer: Client;
  readonly ways: Readonly<Record<FollowerName, Way>>;
  /** `true` when a bookmark arrives within the time limit of {@link until}. */
  readonly hasBookmarks: boolean;
  /** Faults that struck so far. */
  readonly struck: Tally;
  /** Compacts the history and ends open watches, so that they notice it. */
  compact(): Promise<void>;
  /** Kills the server, which refuses a number of requests before it is back. */
  crash(refused: number): Promise<void>;
  /** Changes to a certificate of another CA; a number of handshakes fail until the informers trust it. */
  swapCertificate(refused: number): Promise<void>;
  /** Sets the informers' clock forward or back. */
  jumpClock(ms: number): void;
  /**
   * Lets time pass on the informers' clock.
   *
   * @param isEnough - on a real clock, ends the wait early once it returns true.
   */
  pass(ms: number, isEnough?: () => boolean): Promise<void>;
  /** Lets time pass until a condition holds; resolves to false when the time limit is reached first. */
  until(condition: () => boolean): Promise<boolean>;
  /** Number of pending timers, where they are counted. */
  readonly timers?: number;
  /** Clears data that only grows, such as a journal of requests. */
  tidy(): void;
}
