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

/** What a short storm over ten objects finds wrong. */
async function problemsOf(...steps: StormStep[]): Promise<readonly string[]> {
  const plan: StormPlan = { seed: 1, objects: 10, steps };
  return (await runStorm(plan, await embeddedSubject(1))).failure?.problems ?? [];
}

// Versions can be compared (KEP-5504): an event older than what is known of its object says nothing new.
describe("events of a stale server", () => {
  it("events that are told again change nothing, and no handler hears of them", async () => {
    expect(
      await problemsOf(put(5), put(5), soon, strike("duplicate-events"), put(5), soon, quiet),
    ).toEqual([]);
  });

  it("an older state of an object that comes after a newer one does not take its place", async () => {
    expect(await problemsOf(soon, strike("reordered-events"), put(5), put(5), soon, quiet)).toEqual(
      [],
    );
  });

  it("a state from before its deletion does not bring an object back", async () => {
    expect(
      await problemsOf(soon, strike("reordered-events"), put(5), remove(5), soon, quiet),
    ).toEqual([]);
  });

  it("an object that was made anew survives the deletion of the old one that comes late", async () => {
    const again: StormStep = { do: "write", verb: "replace", object: 5 };
    expect(await problemsOf(soon, strike("reordered-events"), again, soon, quiet)).toEqual([]);
  });
});
