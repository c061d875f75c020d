import { describe, expect, test } from "vitest";
import { electionCluster, lease } from "./election-cluster.js";

describe("acquiring and renewing", () => {
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
    expect(lease.name).toBe("shop");
  });
});
