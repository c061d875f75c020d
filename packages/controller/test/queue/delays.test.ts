import { describe, expect, it } from "vitest";
import {
  classicQueue,
  flavours,
  priorityQueue,
  stateOf,
  takeAll,
  takeRunning,
} from "./flavours.js";

const dayMs = 24 * 60 * 60 * 1000;

describe.each(flavours)("delays of the $flavour queue", ({ create }) => {
  it("CQ9, U5: of several delays of one key the earliest counts, and the key becomes ready once", () => {
    const { queue, clock } = create();
    queue.add("a", { afterMs: 10_000 });
    queue.add("a", { afterMs: 5_000 });
    queue.add("a", { afterMs: 20_000 });
    expect(queue.waiting).toBe(1);
    clock.advance(4_999);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(takeAll(queue)).toEqual(["a"]);
    clock.advance(20_000);
    expect(queue.snapshot()).toEqual([]);
  });

  it("U5: delayed keys become ready in the order of their moments, none early", () => {
    const { queue, clock } = create();
    queue.add("late", { afterMs: 300 });
    queue.add("early", { afterMs: 100 });
    queue.add("middle", { afterMs: 200 });
    const seen: [string | undefined, number][] = [];
    const startMs = clock.now();
    queue.onReady(() => seen.push([queue.takeNow()?.key, clock.now() - startMs]));
    clock.advance(1_000);
    expect(seen).toEqual([
      ["early", 100],
      ["middle", 200],
      ["late", 300],
    ]);
    expect(clock.pending).toBe(0);
  });

  it.each([30 * dayMs, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    "CQ11: a delay of %d ms is not early, and has one timer of at most 24 h at a time",
    (afterMs) => {
      const { queue, clock } = create();
      const schedule = clock.schedule.bind(clock);
      const longest = { ms: 0 };
      clock.schedule = (delayMs, ...rest) => {
        longest.ms = Math.max(longest.ms, delayMs);
        return schedule(delayMs, ...rest);
      };
      queue.add("a", { afterMs });
      clock.advance(Math.min(afterMs, 40 * dayMs) - 1);
      expect(takeAll(queue)).toEqual([]);
      expect(clock.pending).toBe(1);
      clock.advance(1);
      expect(takeAll(queue)).toEqual(afterMs > 40 * dayMs ? [] : ["a"]);
      clock.advance(dayMs);
      expect(takeAll(queue)).toEqual([]);
      expect(longest.ms).toBe(dayMs);
    },
  );

  it("CQ11: a delay of 0 or less means now", () => {
    const { queue } = create();
    queue.add("a", { afterMs: 0 });
    queue.add("b", { afterMs: -1 });
    queue.add("c", { afterMs: Number.MIN_SAFE_INTEGER });
    expect(takeAll(queue)).toEqual(["a", "b", "c"]);
  });

  it("CQ11: a fraction of a millisecond is neither early nor an endless loop of timers", () => {
    const { queue, clock } = create();
    queue.add("a", { afterMs: 0.1 + 0.2 });
    queue.add("b", { afterMs: 1e-12 });
    expect(takeAll(queue)).toEqual([]);
    clock.advance(1);
    expect(takeAll(queue).sort()).toEqual(["a", "b"]);
  });

  it("CQ12: setting the system time forward or back does not change a delay", () => {
    const { queue, clock } = create();
    queue.add("a", { afterMs: 10_000 });
    clock.jump(3_600_000);
    clock.advance(5_000);
    clock.jump(-7_200_000);
    clock.advance(4_999);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  it("CQ13: keys of one moment are served in the order in which they became ready", () => {
    const { queue, clock } = create();
    queue.add("x", { afterMs: 100 });
    queue.add("y", { afterMs: 100 });
    queue.add("z", { afterMs: 50 });
    queue.add("z2", { afterMs: 100 });
    clock.advance(60);
    queue.add("ready");
    clock.advance(40);
    expect(takeAll(queue)).toEqual(["z", "ready", "x", "y", "z2"]);
  });

  it("CQ10: the delay of a running key is over when it has passed, and the key runs again after its run", () => {
    const { queue, clock } = create();
    queue.add("a");
    takeRunning(queue, 1);
    queue.add("a", { afterMs: 100 });
    expect(stateOf(queue, "a")).toBe("running");
    clock.advance(100);
    expect(stateOf(queue, "a")).toBe("running+again");
    expect(takeAll(queue)).toEqual([]);
    queue.done("a");
    expect(takeAll(queue)).toEqual(["a"]);
  });

  it("U5: 25,000 delays that end together are all served", () => {
    const { queue, clock } = create();
    for (let i = 0; i < 25_000; i++) {
      queue.add(`key-${i}`, { afterMs: 100 });
    }
    clock.advance(100);
    expect(queue.depth).toBe(25_000);
    expect(takeAll(queue)[24_999]).toBe("key-24999");
    expect(clock.pending).toBe(0);
  });
});

describe("delays of the priority queue", () => {
  it("CQ10: an add without a delay ends the delay", () => {
    const { queue, clock } = priorityQueue();
    queue.add("a", { afterMs: 10_000 });
    clock.advance(2_000);
    queue.add("a");
    expect(takeAll(queue)).toEqual(["a"]);
    clock.advance(20_000);
    expect(takeAll(queue)).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("CQ10: a delayed add leaves a ready key ready", () => {
    const { queue, clock } = priorityQueue();
    queue.add("a");
    queue.add("a", { afterMs: 10_000 });
    expect(queue.waiting).toBe(0);
    expect(takeAll(queue)).toEqual(["a"]);
    clock.advance(10_000);
    expect(takeAll(queue)).toEqual([]);
  });
});

describe("delays of the classic queue", () => {
  it("CQ10: an add without a delay leaves the delay as it is", () => {
    const { queue, clock } = classicQueue();
    queue.add("a", { afterMs: 10_000 });
    clock.advance(2_000);
    queue.add("a");
    expect(takeAll(queue)).toEqual(["a"]);
    expect(stateOf(queue, "a")).toBe("waiting");
    clock.advance(8_000);
    expect(takeAll(queue)).toEqual(["a"]);
  });

  it("CQ10: a delay that ends while the key is ready adds nothing", () => {
    const { queue, clock } = classicQueue();
    queue.add("a");
    queue.add("a", { afterMs: 10 });
    clock.advance(10);
    expect(takeAll(queue)).toEqual(["a"]);
    expect(takeAll(queue)).toEqual([]);
  });
});
