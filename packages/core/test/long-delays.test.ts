import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../src/internal.js";

const dayMs = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a delay longer than Node's longest timer does not fire at once", () => {
  const callback = vi.fn();
  systemClock.schedule(60 * dayMs, callback);
  vi.advanceTimersByTime(60 * dayMs - 1);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(callback).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("an infinite delay never fires, and leaves no timer when cancelled", () => {
  const callback = vi.fn();
  const cancel = systemClock.schedule(Number.POSITIVE_INFINITY, callback);
  vi.advanceTimersByTime(100 * dayMs);
  expect(callback).not.toHaveBeenCalled();
  cancel();
  expect(vi.getTimerCount()).toBe(0);
});
