import type { Client, InformerOptions } from "typekube";
import type { ConfigMap } from "typekube/api/core/v1";
import type { FollowerName, Weather } from "./faults/fault.js";
import type { Tally } from "./faults/tally.js";

/** One informer's own way to the server, with its weather. */
export interface Way {
  readonly client: Client;
  readonly weather: Weather;
  readonly requests: Tally;
  /** Tells a listener the version from which each watch is asked for. */
  onWatch(listener: (from: string) => void): void;
  /** What informers need here besides their defaults. */
  readonly informerOptions?: Pick<
    InformerOptions<ConfigMap>,
    "backoff" | "idleMs" | "initialEventsDeadlineMs"
  >;
}

/** A server, the ways to it, and what can happen to it. */
export interface StormSubject extends AsyncDisposable {
  readonly name: string;
  /** A client in good weather, for writing and for looking. */
  readonly writer: Client;
  readonly ways: Readonly<Record<FollowerName, Way>>;
  /** Whether a bookmark comes within the patience of {@link until}. */
  readonly hasBookmarks: boolean;
  /** What struck so far. */
  readonly struck: Tally;
  /** Forgets history, and ends what is open so that it shows. */
  compact(): Promise<void>;
  /** The server dies and comes back, refusing requests meanwhile. */
  crash(refused: number): Promise<void>;
  /** The server has a certificate of another authority; so many handshakes fail until the informers trust that one. */
  swapCertificate(refused: number): Promise<void>;
  /** The clock of the informers jumps. */
  jumpClock(ms: number): void;
  /**
   * Lets time pass on the clock of the informers.
   *
   * @param isEnough - where time is real, it need not pass to the end once this holds.
   */
  pass(ms: number, isEnough?: () => boolean): Promise<void>;
  /** Lets time pass until something holds; whether it came to hold in good time. */
  until(condition: () => boolean): Promise<boolean>;
  /** How many timers wait, where somebody counts them. */
  readonly timers?: number;
  /** Lets go of what only grows: a journal of requests. */
  tidy(): void;
}
