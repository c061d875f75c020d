import { expect, it } from "vitest";
import { measure } from "../src/measurement.js";

const stopMs = 60;

/** Blocks the event loop for `stopMs`, whatever the speed of the machine. */
function standStill(): void {
  const end = performance.now() + stopMs;
  while (performance.now() < end) {
    // Busy-waits.
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  ["at once", async () => standStill()],
  ["after a microtask", async () => Promise.resolve().then(standStill)],
  ["after a turn of the event loop, until the end", async () => turn().then(standStill)],
  ["between turns", async () => turn().then(standStill).then(turn)],
])("measures a block of the event loop %s in full", async (_, task) => {
  const { blockMs, mainMs, wallMs } = await measure(task, () => 1);
  // The loop is sampled every millisecond, and a sample may be late.
  expect(blockMs).toBeGreaterThan(stopMs - 5);
  expect(wallMs).toBeGreaterThanOrEqual(stopMs);
  expect(mainMs).toBeGreaterThan(0);
});

it("measures memory that a result keeps, not memory that it releases", async () => {
  const ofMb = (megabytes: number) =>
    Array.from({ length: megabytes }, () => new Uint8Array(2 ** 20));
  const kept = await measure(
    async () => ofMb(20),
    (list) => list.length,
  );
  expect(kept.count).toBe(20);
  expect(kept.keptMb).toBeGreaterThan(19);
  // V8 may free a buffer only after the collections of a measurement; memory that is kept is counted in every one.
  const dropped: number[] = [];
  for (let run = 0; run < 4; run++) {
    const { keptMb } = await measure(
      async () => ofMb(20).length,
      (length) => length,
    );
    dropped.push(keptMb);
  }
  expect(Math.min(...dropped)).toBeLessThan(10);
});
