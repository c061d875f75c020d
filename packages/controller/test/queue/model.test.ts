import { isDeepStrictEqual } from "node:util";
import { manualClock } from "@typekube/test-support/manual-clock";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";
import { createPriorityQueue, type WorkQueue } from "../../src/index.js";
import { flavours, type TestQueue } from "./flavours.js";
import { referenceQueue } from "./reference-queue.js";

/** Seeds per flavour; set TYPEKUBE_QUEUE_SEEDS for a longer run. */
const seeds = Number(process.env["TYPEKUBE_QUEUE_SEEDS"] ?? 300);
const stepsPerWalk = 150;

/** A step of a walk: what it does to the queue and to the reference, and the two results. */
interface Step {
  readonly name: string;
  readonly ours: unknown;
  readonly expected: unknown;
}

/** Does random steps on a queue and on the reference, and compares them after each. */
function walk(seed: number, isClassic: boolean, { queue, clock }: TestQueue): void {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const reference = referenceQueue(isClassic, clock);
  const journal: string[] = [];
  const steps: readonly ((key: string) => Step)[] = [
    (key) => {
      const priority = [0, 0, -100, 10, below(5) - 2][below(5)] ?? 0;
      const afterMs = below(2) * below(40);
      queue.add(key, { priority, afterMs });
      reference.add(key, priority, afterMs);
      return { name: `add ${key} ${priority} ${afterMs}`, ours: 0, expected: 0 };
    },
    () => {
      const { key, priority } = queue.takeNow() ?? {};
      const expected = reference.takeNow();
      return { name: "take", ours: key && { key, priority }, expected };
    },
    (key) => {
      queue.done(key);
      reference.done(key);
      return { name: `done ${key}`, ours: 0, expected: 0 };
    },
    (key) => {
      const notBeforeMs = below(3) * 20;
      const ours = queue.retry(key, { notBeforeMs });
      return { name: `retry ${key}`, ours, expected: reference.retry(key, notBeforeMs) };
    },
    (key) => {
      const forgets = below(3) > 0;
      queue[forgets ? "forget" : "remove"](key);
      reference[forgets ? "forget" : "remove"](key);
      return { name: `${forgets ? "forget" : "remove"} ${key}`, ours: 0, expected: 0 };
    },
    () => {
      const ms = below(30);
      clock.advance(ms);
      reference.settle();
      return { name: `advance ${ms}`, ours: 0, expected: 0 };
    },
  ];
  for (let count = 0; count < stepsPerWalk; count++) {
    const step = steps[[0, 0, 0, 1, 1, 2, 2, 3, 4, 5][below(10)] ?? 0]?.(`key-${below(6)}`);
    journal.push(step?.name ?? "");
    const ours = [step?.ours, statesOf(queue), clock.pending];
    const expected = [step?.expected, reference.snapshot(), queue.waiting > 0 ? 1 : 0];
    // A quick comparison first: vitest's own is slow, and there are 90,000 of them.
    if (!isDeepStrictEqual(ours, expected)) {
      expect(ours, `seed ${seed}: ${journal.slice(-25).join("; ")}`).toEqual(expected);
    }
  }
}

function statesOf(queue: WorkQueue) {
  return new Map(queue.snapshot().map(({ key, forMs: _, ...entry }) => [key, entry]));
}

describe.each(flavours)("random walks over the $flavour queue", ({ flavour, create }) => {
  it(`CQ1-CQ3, CQ9, CQ10, CQ13-CQ15, CQ20, CQ21, CQ30: ${seeds} walks agree with the reference`, () => {
    for (let seed = 1; seed <= seeds; seed++) {
      walk(seed, flavour === "classic", create({}));
    }
  });

  it("CQ3: 10 takers never run a key twice at once, and the last add is followed by a run", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed);
      const { queue } = create({});
      let adds = 0;
      let addsSeen = 0;
      let active = 0;
      let most = 0;
      const pause = async () => {
        for (let turns = Math.floor(random() * 5); turns > 0; turns--) {
          await undefined;
        }
      };
      const consume = async () => {
        for (let taken = await queue.take(); taken; taken = await queue.take()) {
          most = Math.max(most, ++active);
          addsSeen = adds;
          await pause();
          active--;
          queue.done(taken.key);
          await pause();
        }
      };
      const consumers = Array.from({ length: 10 }, consume);
      for (let i = 0; i < 1_000; i++) {
        adds++;
        queue.add("a");
        await pause();
      }
      await queue.close({ drain: true });
      await Promise.all(consumers);
      expect([addsSeen, most], `seed ${seed}`).toEqual([1_000, 1]);
    }
  });
});

describe("random walks with aging, fair groups and group concurrency", () => {
  it(`CQ24, CQ25, CQ26: ${seeds} walks lose no key and never exceed the concurrency of a group`, () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const random = seededRandom(seed);
      const below = (count: number) => Math.floor(random() * count);
      const groupOf = (key: string) => key.slice(-1);
      const clock = manualClock();
      const fairBy = below(2) === 0 ? groupOf : (key: string) => key.slice(0, 5);
      const max = 1 + below(3);
      const queue = createPriorityQueue({
        clock,
        random,
        agingMs: 50,
        fairBy,
        groupConcurrency: { by: groupOf, max },
      });
      const running = new Set<string>();
      const owed = new Set<string>();
      let most = 0;
      const take = () => {
        const key = queue.takeNow()?.key;
        if (key !== undefined) {
          running.add(key);
          owed.delete(key);
          const group = [...running].filter((other) => groupOf(other) === groupOf(key));
          most = Math.max(most, group.length);
        }
        return key;
      };
      const done = () => {
        const key = [...running][below(running.size)];
        if (key !== undefined) {
          running.delete(key);
          queue.done(key);
        }
      };
      for (let step = 0; step < stepsPerWalk; step++) {
        const key = `key-${below(30)}`;
        const choice = below(10);
        if (choice < 4) {
          queue.add(key, { priority: below(4) - 2, afterMs: below(3) * 5 });
          owed.add(key);
        } else if (choice < 7) {
          take();
        } else if (choice < 9) {
          done();
        } else if (below(2) === 0) {
          clock.advance(below(40));
        } else {
          queue.remove(key);
          owed.delete(key);
        }
      }
      clock.advance(100);
      while (take() !== undefined || running.size > 0) {
        done();
      }
      expect([...owed], `seed ${seed}`).toEqual([]);
      expect(most, `seed ${seed}`).toBeLessThanOrEqual(max);
      expect([queue.snapshot(), queue.depth, clock.pending], `seed ${seed}`).toEqual([[], 0, 0]);
    }
  });

  it("CT12: the same seed gives the same run, 100 times", () => {
    const journals = new Set<string>();
    for (let repeat = 0; repeat < 100; repeat++) {
      const clock = manualClock();
      const queue = createPriorityQueue({ clock, random: seededRandom(7), fairBy: (key) => key });
      const journal: unknown[] = [];
      for (let i = 0; i < 20; i++) {
        journal.push(queue.retry(`key-${i % 7}`));
      }
      const startMs = clock.now();
      queue.onReady(() => journal.push(queue.takeNow()?.key, clock.now() - startMs));
      clock.advance(1_000);
      journals.add(JSON.stringify(journal));
    }
    expect(journals.size).toBe(1);
  });
});
