import { KubeError } from "@typekube/core";
import {
  allowManyListeners,
  type Clock,
  type HttpRequest,
  monotonicNow,
  systemClock,
} from "@typekube/core/internal";
import { isLimit, startDeadline } from "./deadline.js";

/** What bounds a wait before a request can go out, besides the request's own signal and time. */
export interface RequestWaitOptions {
  readonly clock?: Clock | undefined;
  /** Milliseconds for a call that names no time; 0 and absent are no limit. Streams that name none may wait as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** Aborts when the transport is closed. */
  readonly closing?: AbortSignal | undefined;
}

/** Turns of the microtask queue after which work is not done already; a promise through three asynchronous functions takes fewer. */
const quickTurns = 8;

/** What comes a turn after it is cheaper than `queueMicrotask`. */
const settledNow = Promise.resolve();

/** What a wait has set up once somebody looked at its signal. */
interface Bounds {
  readonly controller: AbortController;
  readonly startedAt: number;
  undo(): void;
}

/**
 * One wait of a request: for credentials, for its turn. Its signal is made when somebody looks at it, which a cached token
 * never does, so that calls with one do not pay for a controller, two listeners and a timer each.
 */
export class RequestWait {
  readonly #request: HttpRequest;
  readonly #options: RequestWaitOptions;
  readonly #tooLate: string;
  #bounds: Bounds | undefined;

  /** @param tooLate - what did not happen, for the error of a wait that took all of the call's time: `no credentials came`. */
  constructor(request: HttpRequest, options: RequestWaitOptions, tooLate: string) {
    this.#request = request;
    this.#options = options;
    this.#tooLate = tooLate;
  }

  /** Aborts when nobody waits any more: the request was aborted, its time is over, or the transport was closed. */
  get signal(): AbortSignal {
    this.#bounds ??= bound(this.#request, this.#options, this.#tooLate);
    return this.#bounds.controller.signal;
  }

  /** Fails with the reason of the request's signal or of the transport's end when either has aborted already. */
  throwIfOver(): void {
    this.#request.signal?.throwIfAborted();
    this.#options.closing?.throwIfAborted();
  }

  /**
   * What work comes to, unless the wait is over first: whoever does it need not look at the signal. Work that is done already,
   * as that of a cached token is, makes no signal.
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

  /** Takes away listeners and timer; the request with the time that is left to it, where it named one. */
  end(): HttpRequest {
    if (!this.#bounds) {
      return this.#request;
    }
    this.#bounds.undo();
    const { clock = systemClock } = this.#options;
    return withTimeLeft(this.#request, monotonicNow(clock) - this.#bounds.startedAt);
  }
}

/** The request with what is left of the time that it named when some of it is spent; 1 ms when all is. */
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
    // Aborted between the check and somebody's first look.
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
