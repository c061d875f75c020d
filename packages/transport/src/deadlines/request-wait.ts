import { KubeError } from "@typekube/core";
import {
  allowManyListeners,
  type Clock,
  type HttpRequest,
  monotonicNow,
  systemClock,
} from "@typekube/core/internal";
import { isLimit, startDeadline } from "./deadline.js";

/** Limits of a wait before a request is sent, in addition to the request's own signal and timeout. */
export interface RequestWaitOptions {
  readonly clock?: Clock | undefined;
  /**
   * Milliseconds for a call without a timeout; 0 and absent are no limit. Streams without a timeout may wait
   * indefinitely.
   */
  readonly timeoutMs?: number | undefined;
  /** Aborts when the transport is closed. */
  readonly closing?: AbortSignal | undefined;
}

/** Turns of the microtask queue after which work counts as pending; a promise through three async functions takes fewer. */
const quickTurns = 8;

/** A resolved promise; `then` on it is cheaper than `queueMicrotask`. */
const settledNow = Promise.resolve();

/** State of a wait whose signal was accessed. */
interface Bounds {
  readonly controller: AbortController;
  readonly startedAt: number;
  undo(): void;
}

/**
 * One wait of a request: for credentials, or for its turn. The signal is created on first access, which a cached token
 * never needs, so that calls with one do not pay for a controller, two listeners and a timer each.
 */
export class RequestWait {
  readonly #request: HttpRequest;
  readonly #options: RequestWaitOptions;
  readonly #tooLate: string;
  #bounds: Bounds | undefined;

  /** @param tooLate - start of the error message when a wait took all of the call's time: `no credentials came`. */
  constructor(request: HttpRequest, options: RequestWaitOptions, tooLate: string) {
    this.#request = request;
    this.#options = options;
    this.#tooLate = tooLate;
  }

  /** Aborts when the request no longer waits: it was aborted, its deadline passed, or the transport was closed. */
  get signal(): AbortSignal {
    this.#bounds ??= bound(this.#request, this.#options, this.#tooLate);
    return this.#bounds.controller.signal;
  }

  /** Throws the reason of the request's signal, or of the transport's end, when either has aborted. */
  throwIfOver(): void {
    this.#request.signal?.throwIfAborted();
    this.#options.closing?.throwIfAborted();
  }

  /**
   * Returns the result of work, unless the wait ends first; the work need not observe the signal. Work that is already
   * done, such as reading a cached token, creates no signal.
   */
  orOver<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isDone = false;
      const done = (value: T): void => {
        isDone = true;
        resolve(value);
      };
      work.then(done, (error: unknown) => {
        isDone = true;
        reject(error);
      });
      let turns = 0;
      const look = (): void => {
        turns += 1;
        if (!isDone && turns < quickTurns) {
          void settledNow.then(look);
        } else if (!isDone) {
          onOver(this.signal, reject);
        }
      };
      void settledNow.then(look);
    });
  }

  /** Removes listeners and timer. Returns the request with its remaining time, if it has a timeout. */
  end(): HttpRequest {
    if (!this.#bounds) {
      return this.#request;
    }
    this.#bounds.undo();
    const { clock = systemClock } = this.#options;
    return withTimeLeft(this.#request, monotonicNow(clock) - this.#bounds.startedAt);
  }
}

/** Returns the request with the remaining time of its timeout after part of it was spent; at least 1 ms. */
export function withTimeLeft(request: HttpRequest, spentMs: number): HttpRequest {
  const { timeoutMs = 0 } = request;
  return isLimit(timeoutMs) && spentMs > 0
    ? { ...request, timeoutMs: Math.max(1, Math.ceil(timeoutMs - spentMs)) }
    : request;
}

function onOver(signal: AbortSignal, callback: (reason: unknown) => void): void {
  if (signal.aborted) {
    callback(signal.reason);
  } else {
    signal.addEventListener("abort", () => callback(signal.reason), { once: true });
  }
}

function bound(request: HttpRequest, options: RequestWaitOptions, tooLate: string): Bounds {
  const { signal, mode } = request;
  const { clock = systemClock, closing } = options;
  const controller = new AbortController();
  const startedAt = monotonicNow(clock);
  if (signal?.aborted || closing?.aborted) {
    // Aborted between the check and the first access to the signal.
    controller.abort(signal?.aborted ? signal.reason : closing?.reason);
    return { controller, startedAt, undo: () => {} };
  }
  const limitMs = request.timeoutMs ?? (mode === "call" ? (options.timeoutMs ?? 0) : 0);
  const onAbort = () => controller.abort(signal?.reason);
  const onClosing = () => controller.abort(closing?.reason);
  const cancelDeadline = startDeadline(clock, limitMs, () =>
    controller.abort(new KubeError("DeadlineExceeded", `${tooLate} within ${limitMs} ms`)),
  );
  allowManyListeners(signal);
  signal?.addEventListener("abort", onAbort, { once: true });
  closing?.addEventListener("abort", onClosing, { once: true });
  return {
    controller,
    startedAt,
    undo() {
      cancelDeadline();
      signal?.removeEventListener("abort", onAbort);
      closing?.removeEventListener("abort", onClosing);
    },
  };
}
