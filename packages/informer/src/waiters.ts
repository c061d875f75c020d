import { allowManyListeners, type Clock } from "@typekube/core/internal";
import { assertWait } from "./assert-waiting.js";

/** What one waits for. */
export interface WaitFor {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly until: () => boolean;
  /** Asked at the end of `timeoutMs`, and each second from then on: whether there is reason to wait longer. */
  readonly keepWaiting?: (() => boolean) | undefined;
  /** The error at the end of `timeoutMs`. */
  readonly failure: () => unknown;
}

const lookAgainMs = 1_000;

interface Waiter {
  readonly until: () => boolean;
  readonly settle: (error?: { readonly reason: unknown }) => void;
}

/** Those who wait for a condition. Each leaves no timer and no listener behind, however its wait ends. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Looks at every condition again. */
  check(): void {
    for (const waiter of [...this.#waiting]) {
      if (waiter.until()) {
        waiter.settle();
      }
    }
  }

  /** Nothing will come any more. */
  failAll(reason: () => unknown): void {
    for (const waiter of [...this.#waiting]) {
      waiter.settle({ reason: reason() });
    }
  }

  wait(what: WaitFor): Promise<void> {
    const { signal, timeoutMs, until, keepWaiting, failure } = what;
    return new Promise((resolve, reject) => {
      assertWait(what);
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      if (until()) {
        resolve();
        return;
      }
      let cancelTimer: () => void = () => {};
      const onAbort = () => waiter.settle({ reason: signal?.reason });
      const waiter: Waiter = {
        until,
        settle: (error) => {
          this.#waiting.delete(waiter);
          cancelTimer();
          signal?.removeEventListener("abort", onAbort);
          if (error) {
            reject(error.reason);
          } else {
            resolve();
          }
        },
      };
      this.#waiting.add(waiter);
      allowManyListeners(signal);
      signal?.addEventListener("abort", onAbort, { once: true });
      if (timeoutMs !== undefined) {
        const arm = (delayMs: number) => {
          cancelTimer = this.#clock.schedule(delayMs, () => {
            if (keepWaiting?.()) {
              arm(lookAgainMs);
            } else {
              waiter.settle({ reason: failure() });
            }
          });
        };
        arm(timeoutMs);
      }
    });
  }
}
