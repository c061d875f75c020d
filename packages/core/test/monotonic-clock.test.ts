import { expect, test, vi } from "vitest";
import { type Clock, monotonicNow, systemClock } from "../src/index.js";

test("a clock measures by what nobody can set, and by the time of day only where it has nothing else", () => {
  const day: Clock = { now: () => 5, schedule: () => () => {} };
  expect(monotonicNow(day)).toBe(5);
  expect(monotonicNow({ ...day, monotonic: () => 7 })).toBe(7);
  const before = performance.now();
  const now = monotonicNow(systemClock);
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(performance.now());
});

test("a delay that no timer can hold is the longest one, not none", () => {
  vi.useFakeTimers();
  try {
    const due = vi.fn();
    const cancel = systemClock.schedule(9_999_999_000, due);
    systemClock.schedule(Number.POSITIVE_INFINITY, due);
    vi.advanceTimersByTime(2 ** 31 - 2);
    expect(due).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(1);
    expect(due).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
