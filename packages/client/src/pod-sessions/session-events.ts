import {
  type Clock,
  diagnostics,
  monotonicNow,
  type StreamIdentity,
} from "@typekube/core/internal";

const opened = diagnostics("typekube:stream.open");
const ignored = diagnostics("typekube:stream.ignored");
const closed = diagnostics("typekube:stream.close");

/** Publishes the begin and the end of a session, and counts its bytes. */
export class SessionEvents {
  /** Bytes of each stream so far. */
  readonly bytes: { stdin: number; stdout: number; stderr: number } = {
    stdin: 0,
    stdout: 0,
    stderr: 0,
  };
  readonly #stream: StreamIdentity;
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(stream: StreamIdentity, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
    this.#startedAt = monotonicNow(clock);
    if (opened.hasSubscribers) {
      opened.publish({ stream });
    }
  }

  /** Publishes a message that was ignored. */
  ignore(channel: number): void {
    if (ignored.hasSubscribers) {
      ignored.publish({ stream: this.#stream, channel });
    }
  }

  /** Publishes the end. */
  end(outcome: { readonly error?: unknown }): void {
    if (closed.hasSubscribers) {
      const durationMs = monotonicNow(this.#clock) - this.#startedAt;
      closed.publish({ stream: this.#stream, bytes: { ...this.bytes }, durationMs, ...outcome });
    }
  }
}
