import { manualClock } from "@typekube/test-support/manual-clock";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import {
  bucket,
  createClassicQueue,
  createPriorityQueue,
  exponential,
  fastSlow,
  maxOf,
  maxWait,
  type RateLimiterFactory,
} from "../../src/index.js";
import { flavours, priorityQueue, stateOf, takeAll, takeRunning } from "./flavours.js";

/** Creates a limiter on a manual clock. */
function limiterOf(factory: RateLimiterFactory, random: () => number = seededRandom(1)) {
  const clock = manualClock();
  return { clock, limiter: factory({ clock, random }) };
}

/** Returns the delays after `count` failures of one key. */
function delaysOf(factory: RateLimiterFactory, count: number): number[] {
  const { limiter } = limiterOf(factory);
  return Array.from({ length: count }, () => limiter.delayMs("a"));
}

describe("exponential()", () => {
  it("CQ14, U6: doubles from 5 ms to 1,000 s and does not overflow", () => {
    const delays = delaysOf(exponential({ jitter: 0 }), 2_000);
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays[17]).toBe(655_360);
    expect(new Set(delays.slice(18))).toEqual(new Set([1_000_000]));
  });

  it("U6: starts again after forget, for this key only", () => {
    const { limiter } = limiterOf(exponential({ baseMs: 1, maxMs: 1_000_000, jitter: 0 }));
    expect([1, 2, 3, 4, 5].map(() => limiter.delayMs("one"))).toEqual([1, 2, 4, 8, 16]);
    expect([limiter.delayMs("two"), limiter.delayMs("two")]).toEqual([1, 2]);
    expect([limiter.requeues("one"), limiter.requeues("two")]).toEqual([5, 2]);
    limiter.forget("one");
    expect([limiter.requeues("one"), limiter.delayMs("one"), limiter.delayMs("two")]).toEqual([
      0, 1, 4,
    ]);
  });

  it("CQ18: adds up to 20 % by default, also to the longest delay", () => {
    const { limiter } = limiterOf(exponential(), () => 0.999);
    expect(limiter.delayMs("a")).toBeCloseTo(5.999, 3);
    for (let i = 0; i < 30; i++) {
      limiter.delayMs("a");
    }
    expect(limiter.delayMs("a")).toBeCloseTo(1_199_800, 0);
  });

  it("CQ18: from the 9th failure on, no 10 ms hold more than 5 % of 5,000 keys that failed together", () => {
    const { limiter } = limiterOf(exponential());
    const keys = Array.from({ length: 5_000 }, (_, i) => `key-${i}`);
    for (let failure = 1; failure <= 12; failure++) {
      const delays = keys.map((key) => limiter.delayMs(key)).sort((a, b) => a - b);
      let most = 0;
      for (let first = 0, last = 0; last < delays.length; last++) {
        while ((delays[last] as number) - (delays[first] as number) > 10) {
          first++;
        }
        most = Math.max(most, last - first + 1);
      }
      if (failure >= 9) {
        expect(most, `failure ${failure}`).toBeLessThanOrEqual(250);
      }
    }
  });

  it("CQ14: rejects invalid options", () => {
    expect(() => exponential({ baseMs: Number.NaN })).toThrow("[InvalidArgument] baseMs: must be");
    expect(() => exponential({ base: 1 } as object)).toThrow('has no option "base"');
  });
});

describe("other limiters", () => {
  it("U7: fastSlow() is fast a few times, then slow", () => {
    const factory = fastSlow({ fastMs: 5, slowMs: 10_000, maxFast: 3 });
    expect(delaysOf(factory, 5)).toEqual([5, 5, 5, 10_000, 10_000]);
    const { limiter } = limiterOf(factory);
    limiter.delayMs("a");
    expect(limiter.requeues("a")).toBe(1);
    limiter.forget("a");
    expect(limiter.requeues("a")).toBe(0);
  });

  it("U7: maxOf() has the longest delay, and each limiter counts each failure", () => {
    const factory = maxOf(
      fastSlow({ fastMs: 5, slowMs: 3_000, maxFast: 3 }),
      exponential({ baseMs: 1, jitter: 0 }),
    );
    expect(delaysOf(factory, 14)).toEqual([
      5, 5, 5, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 3_000, 4_096, 8_192,
    ]);
    const { limiter } = limiterOf(factory);
    limiter.delayMs("a");
    expect(limiter.requeues("a")).toBe(1);
    limiter.forget("a");
    expect([limiter.requeues("a"), limiter.delayMs("a")]).toEqual([0, 5]);
  });

  it("U7: maxWait() limits the delays of another limiter", () => {
    const factory = maxWait(exponential({ jitter: 0 }), 15);
    expect(delaysOf(factory, 4)).toEqual([5, 10, 15, 15]);
    const { limiter } = limiterOf(factory);
    limiter.delayMs("a");
    expect(limiter.requeues("a")).toBe(1);
    limiter.forget("a");
    expect(limiter.requeues("a")).toBe(0);
    expect(() => maxWait(exponential(), Number.NaN)).toThrow("maxMs is NaN");
  });

  it("CQ16: bucket() lets a burst through, then a number per second, and fills up again", () => {
    const { limiter, clock } = limiterOf(bucket(10, 100));
    const delays = Array.from({ length: 205 }, (_, i) => limiter.delayMs(`key-${i}`));
    expect(delays.slice(0, 100).every((delayMs) => delayMs === 0)).toBe(true);
    expect([delays[100], delays[199], delays[204]]).toEqual([100, 10_000, 10_500]);
    clock.advance(10_500);
    expect(limiter.delayMs("a")).toBe(100);
    clock.advance(3_600_000);
    expect(Array.from({ length: 101 }, () => limiter.delayMs("a")).at(-1)).toBe(100);
    expect(limiter.requeues("a")).toBe(0);
  });

  it("CQ16: bucket() rejects invalid numbers", () => {
    for (const [perSecond, burst] of [
      [0, 1],
      [Number.NaN, 1],
      [1, 0],
      [1, 1.5],
    ] as const) {
      expect(() => bucket(perSecond, burst)).toThrow("[InvalidArgument] bucket(");
    }
  });
});

describe.each(flavours)("retries of the $flavour queue", ({ create }) => {
  it("CQ14, CQ15: a failing key runs after 5, 10, 20 ms, and after 5 ms again once it is forgotten", () => {
    const { queue, clock } = create();
    const startMs = clock.now();
    const runs: number[] = [];
    queue.onReady(() => {
      const key = queue.takeNow()?.key as string;
      runs.push(clock.now() - startMs);
      queue.retry(key);
      queue.done(key);
    });
    queue.add("a");
    clock.advance(75);
    expect(runs).toEqual([0, 5, 15, 35, 75]);
    expect(queue.requeues("a")).toBe(5);
    queue.forget("a");
    expect([queue.requeues("a"), queue.retry("a")]).toEqual([0, 5]);
  });

  it("CQ19: notBeforeMs is the least delay, and counts as one failure", () => {
    const { queue, clock } = create();
    expect(queue.retry("a", { notBeforeMs: 30_000 })).toBe(30_000);
    expect(queue.requeues("a")).toBe(1);
    clock.advance(29_999);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(takeAll(queue)).toEqual(["a"]);
    expect(queue.retry("a", { notBeforeMs: 1 })).toBe(10);
  });

  it("CQ27: only keys with failures are remembered after their run", () => {
    const { queue } = create();
    queue.add("a");
    takeRunning(queue, 1);
    queue.forget("a");
    queue.done("a");
    expect([queue.snapshot(), queue.requeues("a")]).toEqual([[], 0]);
  });
});

describe("retries of the priority queue", () => {
  it("CQ17: has no limit for all keys together by default, and takes one as an option", () => {
    const clock = manualClock();
    const random = () => 0;
    const queue = createPriorityQueue({ clock, random });
    const limited = createPriorityQueue({
      clock,
      random,
      retryLimiter: maxOf(exponential(), bucket(10, 100)),
    });
    for (let i = 0; i < 204; i++) {
      expect(queue.retry(`key-${i}`)).toBe(5);
      limited.retry(`key-${i}`);
    }
    expect(limited.retry("last")).toBe(10_500);
  });

  it("CQ21: a retried key keeps the priority of its run, unless the retry names another", () => {
    const { queue, clock } = priorityQueue();
    queue.add("a", { priority: 7 });
    queue.add("b", { priority: -100 });
    queue.add("c", { priority: 3 });
    for (const key of takeRunning(queue, 3)) {
      queue.retry(key, key === "c" ? { priority: 9 } : {});
      queue.done(key);
    }
    clock.advance(5);
    const taken = [queue.takeNow(), queue.takeNow(), queue.takeNow()];
    expect(taken.map((each) => [each?.key, each?.priority])).toEqual([
      ["c", 9],
      ["a", 7],
      ["b", -100],
    ]);
  });

  it("CQ30: an add during the back-off runs the key now, and the exponent goes on growing", () => {
    let retries = 0;
    const { queue } = priorityQueue({ observer: { onRetry: () => retries++ } });
    queue.retry("a");
    queue.retry("a");
    expect(stateOf(queue, "a")).toBe("waiting");
    queue.add("a");
    expect(takeRunning(queue, 1)).toEqual(["a"]);
    expect([queue.requeues("a"), retries]).toEqual([2, 2]);
    expect(queue.retry("a")).toBe(20);
  });

  it("CQ30: an add during a failed run wins over its back-off", () => {
    const { queue } = priorityQueue();
    queue.add("a");
    takeRunning(queue, 1);
    queue.add("a");
    queue.retry("a");
    queue.done("a");
    expect(takeAll(queue)).toEqual(["a"]);
    expect(queue.waiting).toBe(0);
  });
});

describe("retries of the classic queue", () => {
  it("CQ16: 205 retries at one moment: 100 after their own delay, the 101st after 100 ms, the 200th after 10 s", () => {
    const queue = createClassicQueue({ clock: manualClock() });
    const delays = Array.from({ length: 205 }, (_, i) => queue.retry(`key-${i}`));
    expect(new Set(delays.slice(0, 100))).toEqual(new Set([5]));
    expect([delays[100], delays[199], delays[204]]).toEqual([100, 10_000, 10_500]);
  });
});
