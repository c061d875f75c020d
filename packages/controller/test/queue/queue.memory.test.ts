import { describe, expect, it } from "vitest";
import { flavours } from "./flavours.js";

/** Returns the bytes in use after garbage collection. */
function usedBytes(): number {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

describe.each(flavours)("memory of the $flavour queue", ({ create }) => {
  it("CQ27, U4: after 1,000,000 distinct keys were added, taken and done, the heap is as before", () => {
    const { queue } = create({});
    const fill = (round: number) => {
      for (let i = 0; i < 100_000; i++) {
        queue.add(`namespace-${i % 100}/object-${round}-${i}`, { priority: i % 3 });
      }
      for (let taken = queue.takeNow(); taken; taken = queue.takeNow()) {
        queue.forget(taken.key);
        queue.done(taken.key);
      }
    };
    fill(0);
    const before = usedBytes();
    for (let round = 1; round <= 10; round++) {
      fill(round);
    }
    expect(Math.abs(usedBytes() - before)).toBeLessThan(0.05 * before);
    expect(queue.snapshot()).toEqual([]);
  });

  it("CQ27: 100,000 ready keys take at most 20 MB, without the text of the keys", () => {
    const { queue } = create({});
    const keys = Array.from({ length: 100_000 }, (_, i) => `namespace-${i % 100}/object-${i}`);
    // The text of a key is built when it is first used in a map.
    expect(new Set(keys).size).toBe(100_000);
    const before = usedBytes();
    for (const key of keys) {
      queue.add(key);
    }
    const megabytes = (usedBytes() - before) / 1e6;
    console.log(`100,000 ready keys: ${megabytes.toFixed(1)} MB`);
    expect(megabytes).toBeLessThan(20);
    expect(queue.depth).toBe(100_000);
  });
});
