import { Lease } from "@typekube/api/coordination/v1";
import { expect, test } from "vitest";
import { shardsWorld } from "./shards-world.js";

const counts = (held: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(held).map(([who, shards]) => [who, shards.length]));

test("CH1, CH11: three replicas hold four of twelve shards each within 3 s, by Leases alone", async () => {
  await using w = await shardsWorld();
  await w.create(60);
  for (const identity of ["a", "b", "c"]) {
    await w.start(identity);
  }
  await w.advance(3_000);
  expect(counts(await w.holders())).toEqual({ a: 4, b: 4, c: 4 });
  expect(w.replicas.map(({ manager }) => manager.shards.length)).toEqual([4, 4, 4]);
  const names = (await w.client.resource(Lease, "default").list()).items.map(
    ({ metadata }) => metadata.name,
  );
  expect(names).toEqual(
    expect.arrayContaining([
      "op-member-a",
      "op-member-b",
      "op-member-c",
      "op-shard-0",
      "op-shard-11",
    ]),
  );
  await w.advance(1_000);
  expect(new Set(w.runs.map(({ key }) => key)).size).toBe(60);
  expect(w.runs.length).toBe(60);
  expect(new Set(w.runs.map(({ replica }) => replica)).size).toBe(3);
});
