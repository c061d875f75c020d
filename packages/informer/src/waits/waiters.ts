import { allowManyListeners, type Clock } from "@typekube/core/internal";
import { assertWait } from "./assert-waiting.js";

/** Condition, limits and error of one wait. */
export interface WaitFor {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly until: () => boolean;
  /** Called when `timeoutMs` has passed, and once a second from then on; true extends the wait. */
  readonly keepWaiting?: (() => boolean) | undefined;
  /** Returns the error when `timeoutMs` has passed. */
  readonly failure: () => unknown;
}

const recheckMs = 1_000;

interface Waiter {
  readonly until: () => boolean;
  readonly settle: (error?: { readonly reason: unknown }) => void;
}

/** Pending waits for conditions. A wait leaves no timer and no listener behind, however it ends. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Checks every condition again. */
  check(): void {
    for (const waiter of [...this.#waiting]) {
      if (waiter.until()) {
        waiter.settle();
      }
    }
  }

  /** Rejects all waits: nothing more will happen. */
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
              arm(recheckMs);
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
