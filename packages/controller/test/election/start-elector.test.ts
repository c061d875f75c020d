import { Lease } from "@typekube/api/coordination/v1";
import { type ElectorOptions, electionPresets, startElector } from "@typekube/controller";
import { KubeError } from "@typekube/core";
import { callScope, type HttpSend, withCallScope } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/calls";
import { connect } from "typekube";
import { describe, expect, test } from "vitest";
import { electionCluster, lease, settableClock } from "./election-cluster.js";

describe("starting an elector", () => {
  test.each<[string, Partial<ElectorOptions>, string]>([
    [
      "a lease no longer than the deadline",
      { renewDeadlineMs: 15_000 },
      "leaseDurationMs is 15000, but must be longer than renewDeadlineMs, 15000",
    ],
    [
      "a deadline within the jitter of a retry",
      { retryMs: 8_400 },
      "renewDeadlineMs is 10000, but must be longer than 1.2 times retryMs, 8400",
    ],
    [
      "no lease duration",
      { leaseDurationMs: 0 },
      "leaseDurationMs: must be a finite number above 0",
    ],
    [
      "a negative deadline",
      { renewDeadlineMs: -1 },
      "renewDeadlineMs: must be a finite number above 0",
    ],
    [
      "a retry that is not a number",
      { retryMs: Number.NaN },
      "retryMs: must be a finite number above 0",
    ],
    ["an empty identity", { identity: "" }, "identity: must be a string that is not empty"],
    ["an empty name", { name: "" }, "name: must be a string that is not empty"],
    ["no name", { name: undefined as never }, "name: must be the name of the Lease"],
    [
      "a callback that cannot be called",
      { onLeader: "x" as never },
      "onLeader: must be a function",
    ],
    ["an unknown preset", { preset: "fast" as never }, "preset: must be"],
    ["no skew", { trustRenewTime: {} as never }, "trustRenewTime.maxSkewMs: must be set"],
    ["no version", { coordinated: {} as never }, "coordinated.binaryVersion: must be set"],
    ["an unknown option", { leaseDuration: 15 } as never, "leaseDuration"],
  ])("L10: rejects %s", async (_, options, message) => {
    await using cluster = await electionCluster();
    const error = await failure(startElector(cluster.admin, { ...lease, ...options }));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain(message);
  });

  test("L10: needs a namespace outside of a pod", async () => {
    await using cluster = await electionCluster();
    const error = await failure(startElector(cluster.admin, { name: "shop" }));
    expect(error.message).toMatch(/^\[InvalidArgument\] namespace: must be set outside of a pod/);
  });

  test("CL5: rejects a client whose writes are dry runs, with which every candidate would lead", async () => {
    await using cluster = await electionCluster();
    const dry = cluster.admin.with({ dryRun: "All" });
    expect((await failure(startElector(dry, lease))).code).toBe("InvalidArgument");
  });

  test("CL1, CL25: the presets", () => {
    expect(electionPresets).toEqual({
      standard: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 },
      resilient: { leaseDurationMs: 137_000, renewDeadlineMs: 107_000, retryMs: 26_000 },
    });
  });

  test("CL5: identities are unique and can name an object", async () => {
    await using cluster = await electionCluster();
    const one = await startElector(cluster.admin, { ...lease, name: "one" });
    const two = await startElector(cluster.admin, { ...lease, name: "two" });
    expect(one.identity).not.toBe(two.identity);
    expect(one.identity).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
    await Promise.all([one.close(), two.close()]);
  });

  test("CL2, CL13: the elector's own requests ignore the scope of the code that starts and stops it", async () => {
    await using cluster = await electionCluster();
    const refuse = () => {
      throw new KubeError("LeadershipLost", "closed fence");
    };
    const scope = { beforeAttempt: refuse, signal: AbortSignal.abort(), dryRun: "All" } as const;
    await withCallScope(scope, async () => {
      const a = await cluster.join("a");
      await cluster.advance(10_000);
      expect(a.state.name).toBe("leader");
      await a.close();
    });
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    expect(cluster.errors).toEqual([]);
  });

  test("CL2: all requests of an election are urgent, so that they wait for no other calls", async () => {
    await using cluster = await electionCluster();
    const { api } = cluster;
    const scopes: [string, unknown][] = [];
    const send: HttpSend = (request) => {
      scopes.push([request.method, callScope()?.isUrgent]);
      return api.send(request);
    };
    const client = await connect({ transport: { send, server: api.server }, clock: api.clock });
    const a = await startElector(client, lease);
    await cluster.advance(4_000);
    await a.close();
    await client.close();
    expect(scopes.filter(([, isUrgent]) => isUrgent !== true)).toEqual([]);
    expect(new Set(scopes.map(([method]) => method))).toEqual(new Set(["GET", "POST", "PUT"]));
  });

  test("CL13, CL14: in the scope of a fence no request of any client starts after the loss", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    const { fence } = await a.acquired();
    const { signal: _, ...scope } = fence.scope();
    const leases = cluster.admin.resource(Lease, lease.namespace);
    const count = () => cluster.api.requests.length;
    await withCallScope(scope, () => leases.list());
    cluster.api.fault({ verb: "update", resource: "leases", status: 503, times: 20 });
    await cluster.advance(10_000);
    const before = count();
    const error = await failure(withCallScope(scope, () => leases.list()));
    expect([error.code, count()]).toEqual(["LeadershipLost", before]);
    const ended = withCallScope(fence.scope(), () => leases.list());
    expect((await failure(ended)).code).toBe("LeadershipLost");
  });

  test("CL13, CL21: callbacks about a loss run outside of the scope of the call that met the closed fence", async () => {
    await using cluster = await electionCluster();
    const clock = settableClock(cluster.api.clock);
    const notified: [string, unknown][] = [];
    const a = await cluster.join("a", {
      clock,
      onState: ({ name }) => notified.push([name, callScope()?.beforeAttempt]),
      events: { normal: (_, _reason, note) => notified.push([note, callScope()?.beforeAttempt]) },
    });
    const { fence } = await a.acquired();
    notified.splice(0);
    clock.jump(10_000);
    const list = () => cluster.admin.resource(Lease, lease.namespace).list();
    await failure(withCallScope(fence.scope(), list));
    expect(notified).toEqual([
      ["a stopped leading", undefined],
      ["lost", undefined],
    ]);
  });

  test("L12, L13: labels are written, and without recorder, metrics and callbacks nothing fails", async () => {
    await using cluster = await electionCluster();
    const a = await startElector(cluster.admin, { ...lease, labels: { app: "shop" } });
    await cluster.api.settled();
    const { metadata } = await cluster.admin.resource(Lease, lease.namespace).get(lease.name);
    expect(metadata.labels).toEqual({ app: "shop" });
    await a.close();
  });
});
