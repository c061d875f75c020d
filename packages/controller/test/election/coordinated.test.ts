import { Lease } from "@typekube/api/coordination/v1";
import { LeaseCandidate } from "@typekube/api/coordination/v1beta1";
import { mergePatch } from "@typekube/client";
import { microTime } from "@typekube/core";
import { describe, expect, test } from "vitest";
import { type ElectionCluster, electionCluster, lease } from "./election-cluster.js";

const coordinated = { binaryVersion: "1.4.0", emulationVersion: "1.3.0" };

/** A server that has LeaseCandidates; the test does what the API server's election controller does. */
async function coordinatedCluster() {
  const cluster = await electionCluster({
    featureGates: { CoordinatedLeaderElection: true },
    runtimeConfig: { "coordination.k8s.io/v1beta1": true },
  });
  const leases = cluster.admin.resource(Lease, lease.namespace);
  const candidates = cluster.admin.resource(LeaseCandidate, lease.namespace);
  return Object.assign(cluster, {
    leases,
    candidates,
    now: () => microTime(undefined, cluster.api.clock),
  });
}

/** Writes the lease as the election controller does when it has chosen a holder. */
async function elect(cluster: ElectionCluster & { now(): string }, holderIdentity: string) {
  await cluster.admin.resource(Lease, lease.namespace).create({
    metadata: { name: lease.name },
    spec: {
      holderIdentity,
      leaseDurationSeconds: 15,
      acquireTime: cluster.now(),
      renewTime: cluster.now(),
      leaseTransitions: 0,
      strategy: "OldestEmulationVersion",
    },
  });
  await cluster.api.settled();
}

describe("a coordinated election", () => {
  test("L15, L16, CL23: a candidate announces itself and writes no lease until it is chosen", async () => {
    await using cluster = await coordinatedCluster();
    const a = await cluster.join("a", { coordinated });
    await cluster.advance(60_000);
    expect((await cluster.candidates.get("a")).spec).toMatchObject({
      leaseName: "shop",
      binaryVersion: "1.4.0",
      emulationVersion: "1.3.0",
      strategy: "OldestEmulationVersion",
    });
    expect(a.state.name).toBe("follower");
    expect(new Set(cluster.verbs("a"))).toEqual(new Set(["get"]));
    await elect(cluster, "a");
    expect(a.state.name).toBe("leader");
    const acquired = await cluster.spec();
    await cluster.advance(30_000);
    expect(a.state.name).toBe("leader");
    expect(await cluster.spec()).toMatchObject({
      acquireTime: acquired?.acquireTime,
      leaseTransitions: 0,
      strategy: "OldestEmulationVersion",
    });
  });

  test("L15, CL23: a candidate that was not chosen writes nothing, also when the lease expires", async () => {
    await using cluster = await coordinatedCluster();
    await elect(cluster, "b");
    const a = await cluster.join("a", { coordinated });
    await cluster.advance(60_000);
    expect([a.state.name, a.leader]).toEqual(["follower", "b"]);
    expect(new Set(cluster.verbs("a"))).toEqual(new Set(["get"]));
  });

  test("L15, CL23: a leader yields when another holder is preferred, and does not take the lease back", async () => {
    await using cluster = await coordinatedCluster();
    const a = await cluster.join("a", { coordinated });
    await elect(cluster, "a");
    const { lost } = await a.acquired();
    await cluster.leases.patch(lease.name, mergePatch({ spec: { preferredHolder: "b" } }));
    await cluster.api.settled();
    expect((await lost).message).toBe("[LeadershipLost] the lease default/shop is to go to b");
    const yielded = await cluster.spec();
    a.rejoin();
    await cluster.advance(60_000);
    expect(a.state.name).toBe("follower");
    expect(await cluster.spec()).toEqual(yielded);
  });

  test("CL23: a leader whose lease was deleted stops, and leaves its creation to the API server", async () => {
    await using cluster = await coordinatedCluster();
    const a = await cluster.join("a", { coordinated });
    await elect(cluster, "a");
    await cluster.leases.delete(lease.name);
    await cluster.advance(5_000);
    expect(a.state.name).toBe("lost");
    expect(await cluster.spec()).toBe(undefined);
  });

  test("L16, CL23: a candidate is renewed every 5 minutes, and at once after a ping", async () => {
    await using cluster = await coordinatedCluster();
    await cluster.join("a", { coordinated });
    const renewTime = async () => (await cluster.candidates.get("a")).spec.renewTime ?? "";
    const first = await renewTime();
    await cluster.advance(299_000);
    expect(await renewTime()).toBe(first);
    await cluster.advance(1_000);
    const second = await renewTime();
    expect(Date.parse(second) - Date.parse(first)).toBe(300_000);
    await cluster.advance(10_000);
    await cluster.candidates.patch("a", mergePatch({ spec: { pingTime: cluster.now() } }));
    await cluster.advance(1);
    expect(Date.parse(await renewTime()) - Date.parse(second)).toBeGreaterThanOrEqual(10_000);
  });

  test("L16: a deleted candidate is created again, and one that cannot be written is retried", async () => {
    await using cluster = await coordinatedCluster();
    cluster.api.fault({ verb: "create", resource: "leasecandidates", status: 503, times: 2 });
    await cluster.join("a", { coordinated });
    await cluster.advance(5_000);
    expect((await cluster.candidates.get("a")).spec.leaseName).toBe("shop");
    expect(cluster.errors).toHaveLength(2);
    await cluster.candidates.delete("a");
    await cluster.advance(1);
    expect((await cluster.candidates.get("a")).spec.leaseName).toBe("shop");
  });
});
