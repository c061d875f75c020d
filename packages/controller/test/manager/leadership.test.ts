import { Lease } from "@typekube/api/coordination/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer, type VirtualClock } from "@typekube/apiserver";
import {
  defineController,
  type Manager,
  type ManagerOptions,
  startManager,
} from "@typekube/controller";
import type { Client } from "typekube";
import { expect, test } from "vitest";
import { gate } from "../shop-test.js";

interface Replica extends AsyncDisposable {
  readonly manager: Manager;
  readonly runs: string[];
}

const leaderElection = { name: "operator", namespace: "default" };

/** Starts a replica whose reconciler records what it does. */
async function replica(
  client: Client,
  reconcile: (signal: AbortSignal) => unknown = () => {},
  options: Omit<ManagerOptions, "controllers"> = {},
): Promise<Replica> {
  const runs: string[] = [];
  const controller = defineController(ConfigMap, {
    when: ({ metadata }) => metadata.name.startsWith("c"),
    async reconcile(_, run) {
      if (run.namespace === "default" && run.name.startsWith("c")) {
        runs.push(run.name);
        await reconcile(run.signal);
      }
    },
  });
  const manager = await startManager(client, {
    controllers: [controller],
    leaderElection,
    log() {},
    random: () => 0,
    ...options,
  });
  return { manager, runs, [Symbol.asyncDispose]: () => manager.stop().catch(() => {}) };
}

const create = (client: Client, name: string) =>
  client.resource(ConfigMap, "default").create({ metadata: { name } });

async function world(): Promise<
  { api: ApiServer<VirtualClock>; client: Client } & AsyncDisposable
> {
  const api = await startApiServer({ clock: "virtual", seed: 1 });
  const client = await api.client();
  return {
    api,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await api.close();
    },
  };
}

test("CL12: only the leader reconciles; after its stop the other one does, with a warm cache", async () => {
  await using w = await world();
  await using one = await replica(w.client);
  await w.api.settled();
  await using two = await replica(w.client);
  await create(w.client, "c1");
  await w.api.settled();
  expect(one.runs).toEqual(["c1"]);
  expect(two.runs).toEqual([]);
  const lists = () => w.api.requests.filter(({ resource }) => resource === "configmaps").length;
  const before = lists();
  await one.manager.stop();
  await w.api.settled();
  await create(w.client, "c2");
  await w.api.settled();
  expect(two.runs).toContain("c2");
  // CL12: no new list or watch.
  expect(lists() - before).toBe(1);
});

test("CL7, CM15: the lease is released after the last run has ended", async () => {
  await using w = await world();
  const end = gate();
  await using one = await replica(w.client, () => end.passed);
  await create(w.client, "c1");
  await w.api.settled();
  const stopped = one.manager.stop();
  await w.api.settled();
  const holder = async () =>
    (await w.client.resource(Lease, "default").get("operator")).spec?.holderIdentity;
  expect(await holder()).not.toBe("");
  end.open();
  await stopped;
  expect(await holder()).toBe("");
});

test("CL8: the lease is not released while a run still goes on after the grace period", async () => {
  await using w = await world();
  const end = gate();
  const one = await replica(w.client, () => end.passed, { graceMs: 1_000 });
  await create(w.client, "c1");
  await w.api.settled();
  const stopped = expect(one.manager.stop()).rejects.toMatchObject({ code: "DeadlineExceeded" });
  await w.api.clock.advance(1_000);
  await stopped;
  const lease = await w.client.resource(Lease, "default").get("operator");
  expect(lease.spec?.holderIdentity).not.toBe("");
  end.open();
});

test("CL13, CL15, CL16: without renewals the runs are aborted at the deadline, write nothing, and done rejects", async () => {
  await using w = await world();
  const end = gate();
  let signal: AbortSignal | undefined;
  let write: Promise<unknown> | undefined;
  const one = await replica(w.client, async (given) => {
    signal = given;
    await end.passed;
    write = create(w.client, "late");
    await write;
  });
  await w.api.settled();
  await create(w.client, "c1");
  await w.api.settled();
  const done = expect(one.manager.done).rejects.toMatchObject({
    message: expect.stringContaining("LeadershipLost"),
  });
  w.api.fault({ resource: "leases", status: 500, times: Infinity });
  await w.api.clock.advance(9_000);
  expect(signal?.aborted).toBe(false);
  await w.api.clock.advance(3_000);
  expect(signal?.reason).toMatchObject({ code: "LeadershipLost" });
  end.open();
  await new Promise((resolve) => setImmediate(resolve));
  await expect(write).rejects.toMatchObject({ code: "LeadershipLost" });
  await w.api.clock.advance(5_000);
  await done;
  expect(await w.client.resource(ConfigMap, "default").find("late")).toBeUndefined();
});

test("CL15: done rejects before the lease ends even if a run hangs", async () => {
  await using w = await world();
  const one = await replica(w.client, () => new Promise(() => {}));
  await w.api.settled();
  await create(w.client, "c1");
  await w.api.settled();
  let isDone = false;
  one.manager.done.catch(() => {
    isDone = true;
  });
  w.api.fault({ resource: "leases", status: 500, times: Infinity });
  await w.api.clock.advance(10_000);
  expect(isDone).toBe(false);
  await w.api.clock.advance(4_100);
  expect(isDone).toBe(true);
});

test("CL16: onLost: rejoin leads again in the same process, once all runs have ended", async () => {
  await using w = await world();
  await using one = await replica(w.client, () => {}, {
    leaderElection: { ...leaderElection, onLost: "rejoin" },
  });
  await w.api.settled();
  await create(w.client, "c1");
  await w.api.settled();
  const fault = w.api.fault({ resource: "leases", status: 500, times: Infinity });
  await w.api.clock.advance(12_000);
  fault.remove();
  await create(w.client, "c2");
  await w.api.clock.advance(30_000);
  await w.api.settled();
  expect(one.runs).toContain("c2");
});

test("CL17, CL18: parts of the leader start once it leads, also those added later, and never in a follower", async () => {
  await using w = await world();
  await using one = await replica(w.client);
  await w.api.settled();
  await using two = await replica(w.client);
  await w.api.settled();
  const started: string[] = [];
  const part = (name: string) => ({ name, run: () => void started.push(name) });
  one.manager.add(part("of leader"), { leaderOnly: true });
  two.manager.add(part("of follower"), { leaderOnly: true });
  two.manager.add(part("everywhere"));
  await w.api.settled();
  expect(started).toEqual(["of leader", "everywhere"]);
  await two.manager.stop();
  expect(started).toEqual(["of leader", "everywhere"]);
});

test("CL24: two managers in one process have a lease each; losing one ends only that one", async () => {
  await using w = await world();
  await using one = await replica(w.client);
  await using two = await replica(w.client, () => {}, {
    leaderElection: { ...leaderElection, name: "other" },
  });
  await w.api.settled();
  w.api.fault({ resource: "leases", name: "operator", status: 500, times: Infinity });
  const done = expect(one.manager.done).rejects.toThrow(/LeadershipLost/);
  await w.api.clock.advance(16_000);
  await done;
  await create(w.client, "c1");
  await w.api.settled();
  expect(two.runs).toEqual(["c1"]);
});

test("warm: false fills the caches only once this process leads", async () => {
  await using w = await world();
  await using one = await replica(w.client);
  await w.api.settled();
  await using two = await replica(w.client, () => {}, {
    leaderElection: { ...leaderElection, warm: false },
  });
  await w.api.settled();
  await create(w.client, "c1");
  await w.api.settled();
  await one.manager.stop();
  await w.api.clock.advance(1_000);
  await w.api.settled();
  expect(two.runs).toEqual(["c1"]);
});

test("an election without a namespace outside of a pod, and with an unknown option, is refused", async () => {
  await using w = await world();
  await expect(
    replica(w.client, () => {}, { leaderElection: { name: "x" } }),
  ).rejects.toMatchObject({
    code: "InvalidArgument",
  });
  await expect(
    replica(w.client, () => {}, { leaderElection: { ...leaderElection, nmae: "x" } as never }),
  ).rejects.toThrow(/nmae/);
  expect(w.api.openWatches).toBe(0);
});
