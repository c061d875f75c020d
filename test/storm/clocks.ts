import type { Clock } from "@typekube/core/internal";

/** A machine's clock that somebody sets: what it says jumps, timers run on. */
export interface JumpingClock extends Clock {
  /** Adds milliseconds to what it says; negative ones go back. */
  jump(ms: number): void;
}

/**
 * A clock that says what `base` says until somebody sets it.
 *
 * @param isMeasured - it has time that nobody can set besides, as machines have.
 */
export function jumpingClock(base: Clock, isMeasured: boolean): JumpingClock {
  let offset = 0;
  return {
    now: () => base.now() + offset,
    ...(isMeasured ? { monotonic: () => base.now() } : {}),
    schedule: (delayMs, callback) => base.schedule(delayMs, callback),
    jump(ms) {
      offset += ms;
    },
  };
}

/** A clock on which `factor` milliseconds pass in each one of `base`, so that waits of minutes can be waited for. */
export function fastClock(base: Clock, factor: number): Clock {
  const start = base.now();
  return {
    now: () => start + (base.now() - start) * factor,
    schedule: (delayMs, callback) => base.schedule(delayMs / factor, callback),
  };
}
