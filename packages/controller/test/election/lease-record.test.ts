import type { Lease } from "@typekube/api/coordination/v1";
import { describe, expect, test } from "vitest";
import {
  acquiredLease,
  newLease,
  readRecord,
  releasedLease,
  renewedLease,
} from "../../src/election/lease-record.js";

const now = "2026-01-01T00:00:10.000000Z";
const claim = { identity: "b", leaseDurationMs: 15_000, labels: undefined, now };
/** A lease with fields of others, some of which this version does not know. */
const stored = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "shop", labels: { team: "x" }, finalizers: ["example.com/keep"] },
  spec: {
    holderIdentity: "a",
    leaseDurationSeconds: 20,
    acquireTime: "2026-01-01T00:00:00.000000Z",
    renewTime: "2026-01-01T00:00:02.000000Z",
    leaseTransitions: 3,
    strategy: "OldestEmulationVersion",
    preferredHolder: "c",
    futureField: { a: 1 },
  },
} as const;

describe("the record of a lease", () => {
  test("L11: reads every field, and absent and null ones as empty", () => {
    expect(readRecord(stored as never)).toEqual({
      holder: "a",
      durationMs: 20_000,
      acquireTime: "2026-01-01T00:00:00.000000Z",
      renewTime: "2026-01-01T00:00:02.000000Z",
      transitions: 3,
      strategy: "OldestEmulationVersion",
      preferredHolder: "c",
    });
    const empty = {
      holder: "",
      durationMs: 0,
      acquireTime: "",
      renewTime: "",
      transitions: 0,
      strategy: "",
      preferredHolder: "",
    };
    const nulls = Object.fromEntries(Object.keys(stored.spec).map((name) => [name, null]));
    expect(readRecord({ spec: nulls })).toEqual(empty);
    expect(readRecord({})).toEqual(empty);
  });

  test("L11, CL20: a renewal keeps all fields but the holder's own", () => {
    expect(renewedLease(stored as never, claim)).toEqual({
      ...stored,
      spec: { ...stored.spec, holderIdentity: "b", leaseDurationSeconds: 15, renewTime: now },
    });
  });

  test("L11, L2, CL20: a new holder adds one transition and its acquireTime", () => {
    expect(acquiredLease(stored as never, claim)).toEqual({
      ...stored,
      spec: {
        ...stored.spec,
        holderIdentity: "b",
        leaseDurationSeconds: 15,
        renewTime: now,
        acquireTime: now,
        leaseTransitions: 4,
      },
    });
  });

  test("L11, CL7, CL20: a release empties the holder and keeps the transitions", () => {
    expect(releasedLease(stored as never, now)).toEqual({
      ...stored,
      spec: {
        ...stored.spec,
        holderIdentity: "",
        leaseDurationSeconds: 1,
        renewTime: now,
        acquireTime: now,
      },
    });
  });

  test("L12: labels are created, overwrite only their keys, and are left alone without the option", () => {
    const labelled = { ...claim, labels: { team: "y", app: "shop" } };
    expect(newLease("shop", "default", claim).metadata).toEqual({
      name: "shop",
      namespace: "default",
    });
    expect(newLease("shop", "default", labelled).metadata?.labels).toEqual(labelled.labels);
    const bare: Lease = {};
    expect(acquiredLease(bare, labelled).metadata?.labels).toEqual(labelled.labels);
    expect(acquiredLease<Lease>(stored as never, claim).metadata?.labels).toEqual({ team: "x" });
    const kept = { metadata: { labels: { team: "x", other: "z" } } };
    expect(acquiredLease(kept, labelled).metadata.labels).toEqual({
      team: "y",
      other: "z",
      app: "shop",
    });
  });

  test("L4: a duration that is no whole number of seconds is rounded up", () => {
    const lease = newLease("shop", "default", { ...claim, leaseDurationMs: 2_100 });
    expect(lease.spec?.leaseDurationSeconds).toBe(3);
  });
});
