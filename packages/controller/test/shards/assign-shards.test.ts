import { shardFilter } from "@typekube/informer";
import { shardIndexOf } from "@typekube/informer/internal";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { expect, test } from "vitest";
import { assignShards } from "../../src/shards/assign-shards.js";

test("CH1, CH5, CH7: everyone gets its fair share, and no more shards move than that needs (2,000 seeds)", () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const random = seededRandom(seed);
    const count = 1 + Math.floor(random() * 24);
    const members = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, n) => `r${n}`);
    // Some shards are free, some belong to replicas that are gone.
    const holders = Array.from({ length: count }, () => {
      const holder = Math.floor(random() * (members.length + 3));
      return holder === members.length ? undefined : `r${holder}`;
    });
    const holderOf = (shard: number) => holders[shard];
    const assigned = assignShards({ count, members, holderOf });
    const shares = members.map((member) => assigned.filter((one) => one === member).length);
    const [floor, ceil] = [Math.floor, Math.ceil].map((round) => round(count / members.length));
    expect([seed, shares.every((share) => share === floor || share === ceil)]).toEqual([
      seed,
      true,
    ]);
    const held = members.map((member) => holders.filter((one) => one === member).length);
    const larger = count % members.length;
    const kept = [...held]
      .sort((a, b) => b - a)
      .reduce((sum, one, at) => sum + Math.min(one, (floor ?? 0) + (at < larger ? 1 : 0)), 0);
    const stays = assigned.filter((member, shard) => member === holders[shard]).length;
    expect([seed, stays]).toEqual([seed, kept]);
    // The order in which the replicas are known does not matter.
    expect(assignShards({ count, members: [...members].reverse(), holderOf })).toEqual(assigned);
  }
});

test("CH5: the shards of one that is gone are spread over the others; without replicas nobody gets any", () => {
  const holders = ["a", "a", "b", "b", "c", "c", "c", "c"];
  const holderOf = (shard: number) => holders[shard];
  expect(assignShards({ count: 8, members: ["a", "b"], holderOf })).toEqual([
    "a",
    "a",
    "b",
    "b",
    "a",
    "b",
    "a",
    "b",
  ]);
  expect(assignShards({ count: 2, members: [], holderOf })).toEqual([undefined, undefined]);
});

test("CH2: the index of a value is that of the shard whose filter passes, whatever the number of shards", () => {
  for (const count of [1, 2, 3, 7, 12, 1_000]) {
    const indexOf = shardIndexOf(count);
    for (let n = 0; n < 200; n += 1) {
      const uid = `uid-${n}`;
      const index = indexOf(uid);
      expect(shardFilter({ index, count })({ metadata: { name: "a", uid } } as never)).toBe(true);
    }
  }
});
