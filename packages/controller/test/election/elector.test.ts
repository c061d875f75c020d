import { Lease } from "@typekube/api/coordination/v1";
import { mergePatch } from "@typekube/client";
import type { ElectorState } from "@typekube/controller";
import { microTime } from "@typekube/core";
import { failure } from "@typekube/test-support/calls";
import { describe, expect, test } from "vitest";
import { electionCluster, lease, settableClock } from "./election-cluster.js";

const { POSITIVE_INFINITY: always } = Number;

describe("acquiring", () => {
  test("L1, CL20: a missing lease is created by a leader with 0 transitions", async () => {
    await using cluster = await electionCluster();
    const elector = await cluster.join("a");
    expect(elector.state.name).toBe("leader");
    expect(elector.leader).toBe("a");
    expect(cluster.verbs("a")).toEqual(["get", "create"]);
    expect(await cluster.spec()).toMatchObject({
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    expect(cluster.errors).toEqual([]);
  });

  test.each([
    ["a lease without a spec", undefined, 1],
    ["a released lease", { holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 4 }, 5],
  ])("L2: %s is acquired at once", async (_, spec, transitions) => {
    await using cluster = await electionCluster();
    await cluster.admin
      .resource(Lease, lease.namespace)
      .create({ metadata: { name: lease.name }, spec });
    expect((await cluster.join("a")).state.name).toBe("leader");
    expect(await cluster.spec()).toMatchObject({
      holderIdentity: "a",
      leaseTransitions: transitions,
    });
  });

  test("L3: a held lease is not acquired, and its holder is reported", async () => {
    await using cluster = await electionCluster();
    await cluster.join("a");
    const leaders: string[] = [];
    const b = await cluster.join("b", { onLeader: (who) => leaders.push(who) });
    await cluster.advance(60_000);
    expect([b.state.name, b.leader, leaders]).toEqual(["follower", "a", ["a"]]);
    expect(cluster.verbs("b")).toEqual(["get"]);
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "a", leaseTransitions: 0 });
  });

  test.each([
    ["a minute ago", -60_000],
    ["in the future", 3_600_000],
  ])(
    "CL3, L4: a dead holder that renewed %s keeps the lease for its duration of own observation",
    async (_, agoMs) => {
      await using cluster = await electionCluster();
      const renewTime = microTime(cluster.api.clock.now() + agoMs);
      const spec = { holderIdentity: "dead", leaseDurationSeconds: 20, renewTime };
      await cluster.admin
        .resource(Lease, lease.namespace)
        .create({ metadata: { name: lease.name }, spec });
      const b = await cluster.join("b");
      await cluster.advance(19_900);
      expect(b.state.name).toBe("follower");
      await cluster.advance(300);
      expect(b.state.name).toBe("leader");
      expect(await cluster.spec()).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
    },
  );

  test.each([
    [60_000, "leader"],
    [20_000, "leader"],
    [19_000, "follower"],
  ])(
    "CL4: trustRenewTime takes a lease last renewed %i ms ago, if that is its duration and the skew",
    async (agoMs, expected) => {
      await using cluster = await electionCluster();
      const renewTime = microTime(cluster.api.clock.now() - agoMs);
      const spec = { holderIdentity: "dead", leaseDurationSeconds: 15, renewTime };
      await cluster.admin
        .resource(Lease, lease.namespace)
        .create({ metadata: { name: lease.name }, spec });
      const b = await cluster.join("b", { trustRenewTime: { maxSkewMs: 5_000 } });
      expect(b.state.name).toBe(expected);
    },
  );

  test("CL5: candidates whose clocks differ by hours take over by their own observation", async () => {
    await using cluster = await electionCluster();
    const clockOf = (hours: number) => {
      const clock = settableClock(cluster.api.clock);
      clock.jump(hours * 3_600_000);
      return { clock };
    };
    const a = await cluster.join("a", clockOf(-5));
    const b = await cluster.join("b", clockOf(7));
    await cluster.advance(30_000);
    expect([a.state.name, b.state.name]).toEqual(["leader", "follower"]);
    await a.close({ release: false });
    await cluster.advance(14_900);
    expect(b.state.name).toBe("follower");
    await cluster.advance(300);
    expect(b.state.name).toBe("leader");
  });

  test("CL5: an identity that another process has already waits like any other", async () => {
    await using cluster = await electionCluster();
    const first = await cluster.join("first", { identity: "same" });
    const second = await cluster.join("second", { identity: "same" });
    await cluster.advance(30_000);
    expect([first.state.name, second.state.name]).toEqual(["leader", "follower"]);
  });

  test("CL5, L5: an acquired lease whose response was lost is recognized and renewed", async () => {
    await using cluster = await electionCluster();
    cluster.api.fault({ verb: "create", resource: "leases", reset: "after" });
    const a = await cluster.join("a");
    expect(a.state.name).toBe("leader");
    expect(cluster.verbs("a").at(-1)).toBe("update");
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "a", leaseTransitions: 0 });
  });

  test("CL11: a follower takes over within 300 ms after a release", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    const b = await cluster.join("b");
    await cluster.advance(7_000);
    const before = cluster.api.clock.now();
    await a.close();
    await cluster.api.settled();
    expect(b.state.name).toBe("leader");
    expect(cluster.api.clock.now() - before).toBeLessThan(300);
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
  });

  test("CL10, CL11: a follower takes over 15 seconds after the last renewal of a crashed leader", async () => {
    await using cluster = await electionCluster();
    const crashed = await cluster.join("a");
    const b = await cluster.join("b");
    await cluster.advance(6_500);
    // The last renewal was at 6,000 ms.
    await crashed.close({ release: false });
    await cluster.advance(14_400);
    expect(b.state.name).toBe("follower");
    await cluster.advance(400);
    expect(b.state.name).toBe("leader");
  });

  test("CL11: a follower without permission to watch polls as client-go does", async () => {
    await using cluster = await electionCluster();
    cluster.api.fault({ verb: "watch", resource: "leases", status: 403, times: always });
    cluster.api.fault({ verb: "list", resource: "leases", status: 403, times: always });
    const a = await cluster.join("a");
    const b = await cluster.join("b");
    await cluster.advance(30_000);
    // 2 s and, with this random number, 60 % of 2.4 s.
    const polls = cluster.verbs("b").length;
    expect(polls).toBeGreaterThanOrEqual(9);
    expect(polls).toBeLessThanOrEqual(10);
    await a.close();
    await cluster.advance(4_400);
    expect(b.state.name).toBe("leader");
  });

  test("CL11: a follower of a deleted lease waits until its holder can have noticed", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    const b = await cluster.join("b");
    await cluster.advance(5_000);
    await cluster.admin.resource(Lease, lease.namespace).delete(lease.name);
    await cluster.api.settled();
    expect([a.state.name, b.state.name]).toEqual(["leader", "follower"]);
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "a", leaseTransitions: 0 });
  });

  test("CL17: a follower that is closed leaves the lease alone", async () => {
    await using cluster = await electionCluster();
    await cluster.join("a");
    const b = await cluster.join("b");
    const waiting = failure(b.acquired());
    await b.close();
    expect((await waiting).code).toBe("Closed");
    expect(cluster.verbs("b")).toEqual(["get"]);
    expect((await failure(b.acquired())).code).toBe("Closed");
  });

  test("CL18: acquired() resolves for each caller, before and after, and ends with its signal", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    const leadership = await a.acquired();
    expect(await a.acquired()).toBe(leadership);
    const b = await cluster.join("b");
    const enough = new AbortController();
    const aborted = b.acquired(enough.signal);
    const kept = b.acquired();
    const reason = new Error("enough");
    enough.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await a.close();
    await cluster.api.settled();
    expect((await kept).fence.token).toBe(1);
  });
});

describe("renewing", () => {
  test("L6, L5, CL1, CL20: a leader renews every 2 seconds with one update and no read", async () => {
    await using cluster = await electionCluster();
    await cluster.join("a");
    const first = await cluster.spec();
    await cluster.advance(10_000);
    expect(cluster.verbs("a")).toEqual(["get", "create", ...Array(5).fill("update")]);
    const renewed = await cluster.spec();
    expect(renewed).toMatchObject({ acquireTime: first?.acquireTime, leaseTransitions: 0 });
    expect(Date.parse(renewed?.renewTime ?? "") - Date.parse(first?.renewTime ?? "")).toBe(10_000);
  });

  test("L7: after a conflict the leader reads and writes, and stays leader", async () => {
    await using cluster = await electionCluster();
    const slow: string[] = [];
    const metrics = { leading: () => {}, slowPath: (name: string) => slow.push(name) };
    const a = await cluster.join("a", { metrics });
    const labels = mergePatch({ metadata: { labels: { team: "x" } } });
    await cluster.admin.resource(Lease, lease.namespace).patch(lease.name, labels);
    await cluster.advance(4_000);
    expect(cluster.verbs("a")).toEqual(["get", "create", "update", "get", "update", "update"]);
    expect([a.state.name, slow, cluster.errors]).toEqual(["leader", ["shop"], []]);
  });

  test("CL2: each request of the elector lasts at most half of the renew deadline", async () => {
    await using cluster = await electionCluster();
    await cluster.join("a");
    cluster.api.fault({ verb: "update", resource: "leases", hang: true });
    await cluster.advance(6_900);
    expect(cluster.verbs("a")).toEqual(["get", "create", "update"]);
    await cluster.advance(200);
    expect(cluster.verbs("a")).toEqual(["get", "create", "update", "get", "update"]);
  });

  test("CL13, CL15, CL21: a leader that cannot renew stops 10 seconds after its last renewal", async () => {
    await using cluster = await electionCluster();
    const states: ElectorState["name"][] = [];
    const notes: string[] = [];
    const leading: boolean[] = [];
    const a = await cluster.join("a", {
      onState: ({ name }) => states.push(name),
      events: { normal: (object, reason, note) => notes.push(`${object.kind} ${reason}: ${note}`) },
      metrics: { leading: (_, isLeader) => leading.push(isLeader), slowPath: () => {} },
    });
    const { signal, lost, fence } = await a.acquired();
    await cluster.advance(4_000);
    cluster.api.fault({ resource: "leases", status: 503, times: always });
    await cluster.advance(9_999);
    expect([signal.aborted, fence.isHeld, fence.leftMs(), fence.leaseLeftMs()]).toEqual([
      false,
      true,
      1,
      5_001,
    ]);
    await cluster.advance(1);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(await lost);
    expect((await lost).message).toBe(
      "[LeadershipLost] the lease default/shop was not renewed within 10000 ms",
    );
    expect(() => fence.assertHeld()).toThrow(signal.reason as Error);
    expect(await failure(a.acquired())).toBe(signal.reason);
    expect(states).toEqual(["leader", "lost"]);
    expect(leading).toEqual([false, true, false]);
    expect(notes).toEqual([
      "Lease LeaderElection: a became leader",
      "Lease LeaderElection: a stopped leading",
    ]);
  });

  test("CL13: a leader whose lease another process took stops at once, without writing", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    const { lost } = await a.acquired();
    const thief = mergePatch({ spec: { holderIdentity: "b" } });
    await cluster.admin.resource(Lease, lease.namespace).patch(lease.name, thief);
    await cluster.api.settled();
    expect((await lost).message).toBe("[LeadershipLost] the lease default/shop is held by b");
    expect(cluster.verbs("a")).toEqual(["get", "create", "get"]);
    expect(a.leader).toBe("b");
  });

  test("CL19: a clock that was set forward ends a leadership at the next check, without a timer", async () => {
    await using cluster = await electionCluster();
    const clock = settableClock(cluster.api.clock);
    const a = await cluster.join("a", { clock });
    const { fence, signal } = await a.acquired();
    clock.jump(9_999);
    expect(fence.isHeld).toBe(true);
    clock.jump(1);
    expect(() => fence.assertHeld()).toThrow("LeadershipLost");
    expect([signal.aborted, a.state.name]).toEqual([true, "lost"]);
  });

  test("CL19: a clock that was set back gives a leader no more time", async () => {
    await using cluster = await electionCluster();
    const clock = settableClock(cluster.api.clock);
    const a = await cluster.join("a", { clock });
    const { fence } = await a.acquired();
    clock.jump(-3_600_000);
    cluster.api.fault({ resource: "leases", status: 503, times: always });
    await cluster.advance(10_000);
    expect(fence.isHeld).toBe(false);
  });

  test("CL19: a suspension ends a leadership although the clock was set back by as much before it", async () => {
    await using cluster = await electionCluster();
    const clock = settableClock(cluster.api.clock);
    const a = await cluster.join("a", { clock });
    const { fence } = await a.acquired();
    clock.jump(-20_000);
    await cluster.advance(1_500);
    expect(fence.isHeld).toBe(true);
    // While the machine is suspended, the time of day goes on and the monotonic clock does not.
    clock.jump(20_000);
    expect(fence.isHeld).toBe(false);
  });

  test("CL19: a renewal whose response is handled after the deadline does not revive the leadership", async () => {
    await using cluster = await electionCluster();
    const clock = settableClock(cluster.api.clock);
    const a = await cluster.join("a", { clock });
    cluster.api.fault({ verb: "update", resource: "leases", delayMs: 100 });
    await cluster.advance(2_050);
    // The program was suspended while the request was on its way.
    clock.jump(12_000);
    await cluster.advance(100);
    expect(a.state.name).toBe("lost");
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "a" });
  });

  test("CL16, CL25: after an outage the same process leads at its first poll, a new one waits", async () => {
    await using cluster = await electionCluster();
    const resilient = { name: "long", preset: "resilient" } as const;
    const a = await cluster.join("a");
    const long = await cluster.join("long", resilient);
    const outage = cluster.api.fault({ resource: "leases", status: 503, times: always });
    await cluster.advance(10_000);
    expect(a.state.name).toBe("lost");
    a.rejoin();
    await cluster.advance(50_000);
    const fresh = await cluster.join("fresh");
    expect([a.state.name, fresh.state.name, long.state.name]).toEqual([
      "follower",
      "follower",
      "leader",
    ]);
    outage.remove();
    await cluster.advance(4_400);
    expect([a.state.name, fresh.state.name, long.state.name]).toEqual([
      "leader",
      "follower",
      "leader",
    ]);
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "a", leaseTransitions: 0 });
  });

  test("CL24: losing one of several elections in a process leaves the others alone", async () => {
    await using cluster = await electionCluster();
    const one = await cluster.join("a", { name: "one" });
    const two = await cluster.join("a", { name: "two" });
    const { signal } = await two.acquired();
    cluster.api.fault({ resource: "leases", name: "one", status: 503, times: always });
    await cluster.advance(30_000);
    expect([one.state.name, two.state.name, signal.aborted]).toEqual(["lost", "leader", false]);
  });

  test("CL13: a callback that throws does not end the election", async () => {
    await using cluster = await electionCluster();
    const fail = () => {
      throw new Error("mine");
    };
    const a = await cluster.join("a", {
      onState: fail,
      onLeader: fail,
      events: { normal: fail },
      metrics: { leading: fail, slowPath: fail },
    });
    await cluster.advance(20_000);
    expect(a.state.name).toBe("leader");
    expect(cluster.errors.map(({ rawMessage }) => rawMessage)).toEqual(Array(5).fill("mine"));
  });
});

describe("health and readiness", () => {
  test("L14: only a leader whose lease expired beyond the tolerance is unhealthy", async () => {
    await using cluster = await electionCluster();
    const clock = settableClock(cluster.api.clock);
    const a = await cluster.join("a", { clock });
    const b = await cluster.join("b");
    expect([a.health(), b.health()]).toEqual([undefined, undefined]);
    // No timer fires, as in a program that hangs.
    clock.jump(15_000 + 5_000);
    expect(a.health(5_000)).toBe(undefined);
    clock.jump(1);
    expect(a.health(5_000)?.message).toContain(
      "the lease default/shop was last renewed 20001 ms ago",
    );
    expect(a.health()).toBe(undefined);
  });

  test("CL22: a leader is known until nobody renewed for two leases", async () => {
    await using cluster = await electionCluster();
    cluster.api.fault({ resource: "leases", status: 503, times: always });
    const b = await cluster.join("b");
    await cluster.advance(10_000);
    expect(b.isLeaderKnown).toBe(false);
    await using other = await electionCluster();
    const a = await other.join("a");
    const follower = await other.join("c");
    expect([a.isLeaderKnown, follower.isLeaderKnown]).toEqual([true, true]);
    other.api.fault({ resource: "leases", status: 503, times: always });
    other.api.dropWatches();
    await other.advance(30_000);
    expect(follower.isLeaderKnown).toBe(true);
    await other.advance(1);
    expect(follower.isLeaderKnown).toBe(false);
  });
});
