import type { Clock } from "@typekube/core/internal";

/** A system clock that can be set: its time jumps, its timers do not. */
export interface JumpingClock extends Clock {
  /** Adds milliseconds to its time; negative ones set it back. */
  jump(ms: number): void;
}

/**
 * Returns a clock that shows the time of `base` until it is set.
 *
 * @param isMeasured - adds a monotonic time, which cannot be set, as machines have.
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

/** Returns a clock that runs `factor` times as fast as `base`, so that tests can wait for delays of minutes. */
export function fastClock(base: Clock, factor: number): Clock {
  const start = base.now();
  return {
    now: () => start + (base.now() - start) * factor,
    schedule: (delayMs, callback) => base.schedule(delayMs / factor, callback),
  };
}
