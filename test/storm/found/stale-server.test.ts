import { describe, expect, it } from "vitest";
import { runStorm } from "../storm.js";
import type { StormPlan, StormStep } from "../storm-plan.js";
import { embeddedSubject } from "../subjects/embedded.js";

const put = (object: number): StormStep => ({ do: "write", verb: "put", object });
const remove = (object: number): StormStep => ({ do: "write", verb: "delete", object });
const quiet: StormStep = { do: "quiet" };
const soon: StormStep = { do: "pass", ms: 0 };

function strike(kind: "duplicate-events" | "reordered-events"): StormStep {
  return { do: "strike", on: "streaming", fault: { kind, bytes: 0 } };
}

/** Returns the problems that a short storm over ten objects finds. */
async function problemsOf(...steps: StormStep[]): Promise<readonly string[]> {
  const plan: StormPlan = { seed: 1, objects: 10, steps };
  return (await runStorm(plan, await embeddedSubject(1))).failure?.problems ?? [];
}

// resourceVersions are comparable (KEP-5504): an event older than the known state of its object is redundant.
describe("events of a stale server", () => {
  it("repeated events change nothing and call no handler", async () => {
    expect(
      await problemsOf(put(5), put(5), soon, strike("duplicate-events"), put(5), soon, quiet),
    ).toEqual([]);
  });

  it("an older state that arrives after a newer one does not replace it", async () => {
    expect(await problemsOf(soon, strike("reordered-events"), put(5), put(5), soon, quiet)).toEqual(
      [],
    );
  });

  it("a state from before its deletion does not bring an object back", async () => {
    expect(
      await problemsOf(soon, strike("reordered-events"), put(5), remove(5), soon, quiet),
    ).toEqual([]);
  });

  it("a recreated object survives the late deletion event of its predecessor", async () => {
    const again: StormStep = { do: "write", verb: "replace", object: 5 };
    expect(await problemsOf(soon, strike("reordered-events"), again, soon, quiet)).toEqual([]);
  });
});
