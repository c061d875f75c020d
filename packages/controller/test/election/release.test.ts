import { Lease } from "@typekube/api/coordination/v1";
import { mergePatch } from "@typekube/client";
import { describe, expect, test } from "vitest";
import { electionCluster, lease } from "./election-cluster.js";

const { POSITIVE_INFINITY: always } = Number;
const released = { holderIdentity: "", leaseDurationSeconds: 1 };

describe("releasing", () => {
  test("CL7, CL20, L8: a leader that is closed empties the holder and keeps the transitions", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    const { signal, fence } = await a.acquired();
    const closing = a.close();
    // Closed before the first request, so that nothing starts beside a new leader.
    expect([signal.aborted, fence.isHeld, a.state.name]).toEqual([true, false, "stopped"]);
    await closing;
    expect(signal.reason).toMatchObject({ code: "LeadershipLost" });
    expect(cluster.verbs("a")).toEqual(["get", "create", "get", "update"]);
    expect(await cluster.spec()).toMatchObject({ ...released, leaseTransitions: 0 });
  });

  test("CL8: close({ release: false }) leaves the lease to its end", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    const b = await cluster.join("b");
    await a.close({ release: false });
    await cluster.advance(14_500);
    expect(b.state.name).toBe("follower");
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "a" });
    const kept = await cluster.join("c", { name: "other", releaseOnStop: false });
    await kept.close();
    const other = await cluster.admin.resource(Lease, lease.namespace).get("other");
    expect(other.spec?.holderIdentity).toBe("c");
  });

  test("L8: a follower releases nothing", async () => {
    await using cluster = await electionCluster();
    await cluster.join("a");
    const b = await cluster.join("b");
    expect(await b.release()).toBe(false);
    expect(b.state.name).toBe("follower");
    expect(cluster.verbs("b")).toEqual(["get"]);
  });

  test("L8: a missing lease and one of another holder are not released", async () => {
    await using cluster = await electionCluster();
    const leases = cluster.admin.resource(Lease, lease.namespace);
    for (const name of ["missing", "stolen"]) {
      const hold = cluster.api.hold();
      const a = await cluster.join("a", { name });
      await (name === "missing"
        ? leases.delete(name)
        : leases.patch(name, mergePatch({ spec: { holderIdentity: "b" } })));
      expect(await a.release()).toBe(false);
      hold.end();
    }
    expect((await leases.list()).items.map(({ spec }) => spec?.holderIdentity)).toEqual(["b"]);
  });

  test("L8, CL9: a release that meets a conflict reads again and releases", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    cluster.api.fault({ verb: "update", resource: "leases", status: 409, times: 2 });
    expect(await a.release()).toBe(true);
    expect(cluster.verbs("a")).toEqual([
      "get",
      "create",
      ...["get", "update", "get", "update", "get", "update"],
    ]);
    expect(await cluster.spec()).toMatchObject(released);
    expect(cluster.errors).toEqual([]);
  });

  test.each(["get", "update"])("L8: a release whose %s fails is tried again", async (verb) => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    cluster.api.fault({ verb, resource: "leases", reset: "before" });
    const releasing = a.release();
    await cluster.advance(1_000);
    expect(await releasing).toBe(true);
    expect(await cluster.spec()).toMatchObject(released);
    expect(cluster.errors).toMatchObject([{ code: "ConnectionReset" }]);
  });

  test("L8: a release whose response was lost counts as one", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    cluster.api.fault({ verb: "update", resource: "leases", reset: "after" });
    const releasing = a.release();
    await cluster.advance(1_000);
    expect(await releasing).toBe(true);
  });

  test("L8, CL9: a leader that is closed while it renews still releases", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    cluster.api.fault({ verb: "update", resource: "leases", delayMs: 500 });
    await cluster.advance(2_100);
    const closing = a.close();
    await cluster.advance(1_000);
    await closing;
    expect(await cluster.spec()).toMatchObject(released);
  });

  test("L9, CL9: a release at a server that hangs ends after the renew deadline", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    cluster.api.fault({ resource: "leases", hang: true, times: always });
    let result: boolean | undefined;
    void a.release().then((released) => {
      result = released;
    });
    await cluster.advance(9_999);
    expect(result).toBe(undefined);
    await cluster.advance(1);
    expect(result).toBe(false);
  });

  test("CL7: a candidate that rejoins after a release waits for it, then competes again", async () => {
    await using cluster = await electionCluster();
    const a = await cluster.join("a");
    cluster.api.fault({ verb: "get", resource: "leases", delayMs: 3_000 });
    const releasing = a.release();
    a.rejoin();
    await cluster.advance(2_900);
    expect(a.state.name).toBe("follower");
    await cluster.advance(200);
    expect(await releasing).toBe(true);
    expect(a.state.name).toBe("leader");
    expect(await cluster.spec()).toMatchObject({ holderIdentity: "a", leaseTransitions: 1 });
  });

  test("CL7: no timer is left after close(), in any state", async () => {
    await using cluster = await electionCluster();
    const before = cluster.api.clock.pending;
    const leader = await cluster.join("a");
    const follower = await cluster.join("b");
    const lost = await cluster.join("c", { name: "other" });
    cluster.api.fault({ resource: "leases", name: "other", status: 503, times: always });
    await cluster.advance(11_000);
    expect(lost.state.name).toBe("lost");
    await Promise.all([leader.close(), follower.close(), lost.close(), lost.close()]);
    await cluster.api.settled();
    expect(cluster.api.clock.pending).toBe(before);
    expect(cluster.api.openWatches).toBe(0);
  });
});
