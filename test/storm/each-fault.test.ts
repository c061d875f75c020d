import { describe, expect, it } from "vitest";
import {
  bodyFaults,
  disasters,
  eventFaults,
  type FaultKind,
  responseFaults,
} from "./faults/fault.js";
import { runStorm } from "./storm.js";
import { stormPlan } from "./storm-plan.js";
import type { StormReport } from "./storm-report.js";
import type { StormSubject } from "./subject.js";
import { embeddedSubject } from "./subjects/embedded.js";
import { embeddedSocketsSubject } from "./subjects/embedded-sockets.js";
import { realSubject } from "./subjects/real.js";

const kinds: readonly FaultKind[] = [
  ...responseFaults,
  ...bodyFaults,
  ...eventFaults,
  ...disasters,
];

/** Error that an informer reports for each fault; omitted for faults that only cost time or that it cannot notice. */
const errorOf: Readonly<Partial<Record<FaultKind, string>>> = {
  "reset-before-headers": "ConnectionReset",
  "half-open-headers": "DeadlineExceeded",
  "half-open-body": "DeadlineExceeded",
  "410-at-watch": "Expired",
  "410-event": "Expired",
  "410-at-continue": "Expired",
  "429": "TooManyRequests",
  "500": "InternalError",
  "503": "ServiceUnavailable",
  "body-cut": "ConnectionReset",
  compaction: "Expired",
  crash: "ConnectionRefused",
  "certificate-swap": "Tls",
};

/** Runs a storm with one kind of fault. */
async function stormOf(kind: FaultKind, faults: number, subject: StormSubject) {
  const without = new Set(kinds.filter((other) => other !== kind));
  const plan = stormPlan({ seed: 3, faults, objects: 40, without });
  const { report, failure } = await runStorm(plan, subject);
  expect(failure).toBeUndefined();
  return report;
}

function sum(report: StormReport, of: (follower: StormReport["followers"][number]) => number) {
  return report.followers.reduce((total, follower) => total + of(follower), 0);
}

/** Expects that the fault struck at least as often as planned, and that the informers reported it. */
function expectEffect(kind: FaultKind, faults: number, report: StormReport): void {
  expect(report.struck.of(kind)).toBeGreaterThanOrEqual(faults);
  const error = errorOf[kind];
  if (error !== undefined) {
    expect(sum(report, ({ errors }) => errors.of(error))).toBeGreaterThan(0);
  }
  if (kind === "reordered-events") {
    expect(sum(report, ({ requests }) => requests.of("disorders"))).toBe(faults);
  }
}

describe("each kind of fault strikes and affects an informer", () => {
  it.each(kinds)("strikes and affects an informer in process: %s", async (kind) => {
    const faults = 20;
    expectEffect(kind, faults, await stormOf(kind, faults, await embeddedSubject(3)));
  });

  // Faults that consist of real bytes, connections and certificates on sockets.
  it.each(["body-cut", "half-open-body", "crash", "certificate-swap"] as const)(
    "strikes and affects an informer on sockets: %s",
    async (kind) => {
      const faults = 6;
      expectEffect(kind, faults, await stormOf(kind, faults, await embeddedSocketsSubject(3)));
    },
  );

  const everywhere = process.env["TYPEKUBE_STORM_EACH"] === "all";
  if (!everywhere) {
    console.warn(
      "SKIPPED: each kind of fault alone on sockets and on a real server (TYPEKUBE_STORM_EACH=all runs them); the storms there strike with all of them",
    );
  }
  it.runIf(everywhere).each(kinds)("on sockets, all kinds: %s", async (kind) => {
    const faults = 12;
    expectEffect(kind, faults, await stormOf(kind, faults, await embeddedSocketsSubject(3)));
  });
  it.runIf(everywhere).each(kinds)("on a real server, all kinds: %s", async (kind) => {
    const subject = await realSubject();
    if (subject !== undefined) {
      expectEffect(kind, 8, await stormOf(kind, 8, subject));
    }
  });
});
