import { Lease } from "@typekube/api/coordination/v1";
import { startApiServer } from "@typekube/apiserver";
import { systemClock } from "@typekube/core/internal";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { expect, test } from "vitest";
import { PassedTime } from "../../src/election/passed-time.js";
import { LeaseBoard } from "../../src/shards/lease-board.js";
import { leaseStore } from "../../src/shards/lease-store.js";
import { labelsOf, leaseNames } from "../../src/shards/shard-layout.js";
import { ShardLeases } from "../../src/shards/shard-leases.js";
import { shardsSettings } from "../../src/shards/shards-options.js";

const { signal } = new AbortController();

test("CH5: the membership of a replica that has come back is not deleted", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  const settings = shardsSettings({ count: 2, name: "op" }, []);
  const onError = () => {};
  const shared = { name: "op", namespace: "default", clock: systemClock, onError };
  const store = leaseStore(client, { ...shared, random: seededRandom(1), timeoutMs: 5_000 });
  const names = leaseNames("op");
  const board = new LeaseBoard({ ...settings, clock: systemClock }, names);
  const time = new PassedTime(systemClock);
  const identity = "a";
  const parts = { ...settings, ...shared, identity, store, time };
  const leases = new ShardLeases(parts, names, board, (change) => board.see(change));
  const labels = labelsOf("op", settings);
  await store.create({ metadata: { name: "op-member-b", namespace: "default", labels } }, signal);
  board.see({ type: "snapshot", leases: await store.list(signal) });

  const lease = await client.resource(Lease, "default").get("op-member-b");
  await store.update({ ...lease, spec: { holderIdentity: "b" } }, signal);
  await expect(leases.removeMember("b", signal)).rejects.toMatchObject({ code: "Conflict" });
  await leases.read("op-member-b", signal);
  await leases.removeMember("b", signal);
  expect(await store.list(signal)).toEqual([]);
  expect(board.get("op-member-b")).toBe(undefined);
});
