import { expect, test } from "vitest";
import { type Clock, monotonicNow, systemClock } from "../src/internal.js";

test("measures with a clock's monotonic reading, and with its time of day only as a fallback", () => {
  const day: Clock = { now: () => 5, schedule: () => () => {} };
  expect(monotonicNow(day)).toBe(5);
  expect(monotonicNow({ ...day, monotonic: () => 7 })).toBe(7);
  const before = performance.now();
  const now = monotonicNow(systemClock);
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(performance.now());
});
