import { createVirtualClock } from "@typekube/apiserver";
import { expect, test } from "vitest";
import { HandOver } from "../../src/shards/hand-over.js";

/** Hands over shards whose work ends, and which are taken, when the test says so. */
function handingOver() {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const begun: number[] = [];
  const taken = new Set<number>();
  const ends = new Map<number, () => void>();
  const all = [0, 1, 2, 3];
  const handOver = new HandOver({
    clock,
    signal: stop.signal,
    release(shard) {
      begun.push(shard);
      return new Promise((resolve) => ends.set(shard, resolve));
    },
    isTaken: (shard) => taken.has(shard),
    onChange: () => next(),
  });
  // A shard that was released is not to be handed over again.
  const next = () => handOver.one(all.filter((shard) => !begun.includes(shard)));
  return {
    clock,
    handOver,
    begun,
    next,
    async advance(ms: number) {
      await clock.advance(ms);
      next();
    },
    end: (shard: number) => ends.get(shard)?.(),
    take(shard: number) {
      taken.add(shard);
      handOver.news();
    },
    stop: () => stop.abort(),
  };
}

test("CH6: the next shard is handed over when the last one was taken, or found no taker for half a second", async () => {
  const { begun, next, advance, end, take } = handingOver();
  next();
  end(0);
  await advance(100);
  expect(begun).toEqual([0]);
  take(0);
  await advance(0);
  expect(begun).toEqual([0, 1]);
  end(1);
  await advance(499);
  expect(begun).toEqual([0, 1]);
  await advance(1);
  expect(begun).toEqual([0, 1, 2]);
});

test("CH6: a shard that is taken late does not begin one more beside the current one", async () => {
  const { begun, next, advance, end, take } = handingOver();
  next();
  end(0);
  await advance(500);
  expect(begun).toEqual([0, 1]);
  take(0);
  await advance(100);
  expect(begun).toEqual([0, 1]);
});

test("CH6: a shard whose runs take more than a second goes on beside the next one, and counts no more", async () => {
  const { begun, next, advance, end, take } = handingOver();
  next();
  await advance(1_000);
  expect(begun).toEqual([0, 1]);
  end(0);
  take(0);
  await advance(0);
  expect(begun).toEqual([0, 1]);
});

test("CH6: a replica that stops hands over the shards in order, and what is left after eight seconds at once", async () => {
  const { handOver, begun, clock, end, stop } = handingOver();
  const ended = handOver.all(
    Array.from({ length: 12 }, (_, shard) => shard),
    () => true,
  );
  await clock.advance(7_999);
  expect(begun.length).toBe(8);
  await clock.advance(1);
  expect(begun.length).toBe(12);
  for (const shard of begun) {
    end(shard);
  }
  await ended;
  expect(handOver.going).toEqual([]);
  stop();
  await clock.advance(0);
  expect(clock.pending).toBe(0);
});
