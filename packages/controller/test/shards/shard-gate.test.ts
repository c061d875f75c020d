import { ConfigMap } from "@typekube/api/core/v1";
import { defineKeyController } from "@typekube/controller";
import { expect, test } from "vitest";
import { ShardGate } from "../../src/shards/shard-gate.js";
import { shardsWorld } from "./shards-world.js";

const object = (name: string, uid: string) =>
  ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, uid, resourceVersion: "1" } }) as never;

test("CH6: a shard is drained when its last run has ended, whatever other shards do", async () => {
  const held = new Set([0, 1]);
  const gate = new ShardGate(
    {
      by: "uid",
      shardOf: (uid) => Number(uid),
      fenceOf: (shard) => (held.has(shard) ? {} : undefined),
    },
    (key) => object(key, key === "a" || key === "b" ? "0" : "1"),
  );
  expect(["a", "b", "c"].map((key) => gate.enter(key))).toEqual([{}, {}, {}]);
  held.delete(0);
  let isDrained = false;
  const drained = gate.drained(0).then(() => {
    isDrained = true;
  });
  expect([gate.enter("a"), gate.isOurs("a"), gate.isOurs("c")]).toEqual([undefined, false, true]);
  gate.leave("a", true);
  gate.leave("c", true);
  await Promise.resolve();
  expect(isDrained).toBe(false);
  gate.leave("b", true);
  await drained;
  await gate.drained(1);
});

test("the key of a deleted object runs once more in the replica of its shard, also after a failure", async () => {
  await using w = await shardsWorld();
  const runs: string[] = [];
  for (const identity of ["a", "b"]) {
    let failures = 0;
    const controller = defineKeyController(ConfigMap, {
      name: "keys",
      async reconcileKey(key, run) {
        if (key.startsWith("default/c") && run.get(ConfigMap, key) === undefined) {
          runs.push(`${identity} ${key}`);
          if (failures === 0) {
            failures += 1;
            throw new Error("fails once");
          }
        }
      },
    });
    await w.start(identity, { controller });
  }
  await w.create(12);
  await w.advance(5_000);
  for (let n = 0; n < 12; n += 1) {
    await w.client.resource(ConfigMap, "default").delete(`c${n}`);
  }
  await w.advance(5_000);
  // Each replica fails once.
  expect(runs.length).toBe(14);
  expect(new Set(runs).size).toBe(12);
  expect(new Set(runs.map((run) => run.split(" ")[0])).size).toBe(2);
});
