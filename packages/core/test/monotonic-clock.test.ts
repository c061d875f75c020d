import { expect, test } from "vitest";
import { type Clock, monotonicNow, systemClock } from "../src/internal.js";

test("a clock measures by what nobody can set, and by the time of day only where it has nothing else", () => {
  const day: Clock = { now: () => 5, schedule: () => () => {} };
  expect(monotonicNow(day)).toBe(5);
  expect(monotonicNow({ ...day, monotonic: () => 7 })).toBe(7);
  const before = performance.now();
  const now = monotonicNow(systemClock);
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(performance.now());
});
