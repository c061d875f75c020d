import { expect, test } from "vitest";
import { PassedTime } from "../../src/election/passed-time.js";
import { World } from "./simulation/world.js";

/** Clocks of a process that a test moves. */
function movedClocks() {
  const world = new World();
  let wallMs = 1_000_000;
  let monotonicMs = 5_000;
  const time = new PassedTime({
    now: () => Math.floor(wallMs),
    monotonic: () => monotonicMs,
    schedule(delayMs, callback) {
      world.after(delayMs, callback);
      return () => {};
    },
  });
  return {
    time,
    world,
    pass(ms: number) {
      wallMs += ms;
      monotonicMs += ms;
    },
    /** The machine is suspended. */
    suspend(ms: number) {
      wallMs += ms;
    },
    set(ms: number) {
      wallMs += ms;
    },
  };
}

test("CL19: time passes while the machine is suspended, and when the time of day is set back", () => {
  const { time, pass, suspend, set } = movedClocks();
  const start = time.now();
  pass(3_000);
  suspend(20_000);
  expect(time.now() - start).toBe(23_000);
  set(-3_600_000);
  pass(2_000);
  expect(time.now() - start).toBe(25_000);
});

test("CL19: a time of day that was set back hides no suspension after the next look", () => {
  const { time, pass, suspend, set } = movedClocks();
  const start = time.now();
  set(-20_000);
  pass(1_000);
  time.now();
  suspend(20_000);
  expect(time.now() - start).toBe(21_000);
});

test("CL19: a time of day that was set forward and back counts once", () => {
  const { time, pass, set } = movedClocks();
  const start = time.now();
  set(60_000);
  pass(1_000);
  expect(time.now() - start).toBe(61_000);
  set(-60_000);
  pass(1_000);
  expect(time.now() - start).toBe(62_000);
});

test("CL19: looks at every moment do not sum up the rounding of the time of day", () => {
  const { time, pass } = movedClocks();
  const start = time.now();
  for (let n = 0; n < 100_000; n += 1) {
    pass(0.1);
    time.now();
  }
  const passedMs = time.now() - start;
  expect(passedMs).toBeGreaterThanOrEqual(10_000);
  expect(passedMs).toBeLessThan(10_000 * 1.01);
});

test("CL19: it is looked at every second until the signal aborts", async () => {
  const { time, world, pass, suspend, set } = movedClocks();
  const start = time.now();
  const stop = new AbortController();
  const kept = time.keep(stop.signal);
  set(-20_000);
  pass(1_000);
  await world.runUntil(1_000);
  suspend(20_000);
  stop.abort();
  await kept;
  expect(time.now() - start).toBe(21_000);
});

test("CL19: a clock that counts suspensions is not looked at", async () => {
  let timers = 0;
  const time = new PassedTime({
    now: () => 0,
    countsSuspension: true,
    schedule() {
      timers += 1;
      return () => {};
    },
  });
  await time.keep(new AbortController().signal);
  expect(timers).toBe(0);
});
