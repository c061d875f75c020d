import { describe, expect, test } from "vitest";
import { type ShardHistory, simulateShards } from "./history.js";

/** Histories of the quick run; `TYPEKUBE_SHARD_HISTORIES=10000` is the long one. */
const histories = Number(process.env["TYPEKUBE_SHARD_HISTORIES"] ?? 200);
/** First seed; each history has the next one. */
const firstSeed = Number(process.env["TYPEKUBE_SHARD_SEED"] ?? 1);

/** Milliseconds for all histories. */
const timeout = 60_000 + 1_000 * histories;

async function simulateAll(count: number, run: (seed: number) => Promise<ShardHistory>) {
  const all: ShardHistory[] = [];
  for (let n = 0; n < count; n += 1) {
    all.push(await run(firstSeed + n));
  }
  return all;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe("simulated histories of a sharding", () => {
  test("CH5, CH6, CH7, CH8, CH10: no key runs in two replicas at once, and every shard finds its holder", {
    timeout,
  }, async () => {
    const all = await simulateAll(histories, (seed) => simulateShards(seed));
    console.log(
      `shard histories: seeds ${firstSeed} to ${firstSeed + histories - 1}, ` +
        `${sum(all.map(({ runs }) => runs))} runs with ${sum(all.map(({ requests }) => requests))} requests ` +
        `in ${sum(all.map(({ periods }) => periods))} periods of ${sum(all.map(({ replicas }) => replicas))} replicas`,
    );
    const failed = all.filter(({ overlaps, problems }) => overlaps.length + problems.length > 0);
    expect(failed).toEqual([]);
    expect(sum(all.map(({ periods }) => periods))).toBeGreaterThan(histories * 10);
  });

  test("CH8: the checker finds overlaps when replicas ignore their fences", async () => {
    const all = await simulateAll(15, (seed) => simulateShards(seed, "ignores the fence"));
    expect(all.filter(({ overlaps }) => overlaps.length > 0).length).toBeGreaterThan(7);
  });
});
