import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { KubeError } from "@typekube/core";
import type { CallScope, Clock } from "@typekube/core/internal";
import type { Fence, Leadership } from "./leadership.js";
import { readRecord } from "./lease-record.js";
import type { PassedTime } from "./passed-time.js";

/** Settings of a {@link Term}. */
export interface TermSettings {
  readonly clock: Clock;
  /** Time by which a term ends. */
  readonly time: PassedTime;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  /** The lease, for messages: `the lease default/shop`. */
  readonly subject: string;
  /** Called once when the lease is lost, not when it is released. */
  readonly onLost: (error: KubeError) => void;
}

/**
 * One period of leadership, from the write that acquired the lease to its end. Time counts from the moment before the
 * last successful write was sent: other processes see it later, so their count ends after ours.
 */
export class Term implements Leadership, Fence {
  readonly #settings: TermSettings;
  readonly #abort = new AbortController();
  readonly lost: Promise<KubeError>;
  #resolveLost: (error: KubeError) => void = () => {};
  #lease: Live<Lease>;
  #renewedAt: number;
  #cancelDeadline = () => {};

  /** @param sentAt - the moment before the write that acquired the lease. */
  constructor(settings: TermSettings, lease: Live<Lease>, sentAt: number) {
    this.#settings = settings;
    this.lost = new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
    this.#lease = lease;
    this.#renewedAt = sentAt;
    this.#armDeadline();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get fence(): Fence {
    return this;
  }

  /** The lease as last written. */
  get lease(): Live<Lease> {
    return this.#lease;
  }

  get token(): number {
    return readRecord(this.#lease).transitions;
  }

  get isHeld(): boolean {
    return this.#error() === undefined;
  }

  assertHeld(): void {
    const error = this.#error();
    if (error !== undefined) {
      throw error;
    }
  }

  /** Milliseconds since the last successful renewal was sent. */
  get ageMs(): number {
    return this.#settings.time.now() - this.#renewedAt;
  }

  leftMs(): number {
    return this.isHeld ? this.#settings.renewDeadlineMs - this.ageMs : 0;
  }

  leaseLeftMs(): number {
    return Math.max(0, this.#settings.leaseDurationMs - this.ageMs);
  }

  scope(): Pick<CallScope, "beforeAttempt" | "beforeSend" | "maxAttemptMs" | "signal"> {
    const assertHeld = () => this.assertHeld();
    return {
      signal: this.signal,
      beforeAttempt: assertHeld,
      beforeSend: assertHeld,
      maxAttemptMs: () => this.leaseLeftMs(),
    };
  }

  /** Extends the term. Too late once the deadline has passed: the term is over, even if the server accepted the write. */
  renewed(lease: Live<Lease>, sentAt: number): void {
    if (this.isHeld) {
      this.#lease = lease;
      this.#renewedAt = sentAt;
      this.#armDeadline();
    }
  }

  /** Ends the term because the lease is lost. */
  lose(why: string, cause?: unknown): void {
    const error = this.#end(why, cause);
    if (error !== undefined) {
      this.#resolveLost(error);
      this.#settings.onLost(error);
    }
  }

  /** Ends the term on purpose. Requests that start later are refused. */
  finish(why: string): void {
    this.#end(why);
  }

  /** Returns the reason why requests may not start, and ends the term when its time has passed. */
  #error(): KubeError | undefined {
    if (!this.signal.aborted && this.ageMs >= this.#settings.renewDeadlineMs) {
      const { subject, renewDeadlineMs } = this.#settings;
      this.lose(`${subject} was not renewed within ${renewDeadlineMs} ms`);
    }
    return this.signal.aborted ? this.signal.reason : undefined;
  }

  #end(why: string, cause?: unknown): KubeError | undefined {
    if (this.signal.aborted) {
      return undefined;
    }
    const error = new KubeError("LeadershipLost", why, { cause });
    this.#cancelDeadline();
    this.#abort.abort(error);
    return error;
  }

  #armDeadline(): void {
    this.#cancelDeadline();
    const { clock, renewDeadlineMs } = this.#settings;
    const check = () => {
      if (this.isHeld) {
        // The timer was early: its resolution is a millisecond.
        this.#cancelDeadline = clock.schedule(Math.max(1, renewDeadlineMs - this.ageMs), check);
      }
    };
    this.#cancelDeadline = clock.schedule(Math.max(0, renewDeadlineMs - this.ageMs), check);
  }
}
