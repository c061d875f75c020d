import { expect, it } from "vitest";
import { type Replay, shrink } from "./shrink.js";
import type { StormStep } from "./storm-plan.js";

const write = (object: number): StormStep => ({ do: "write", verb: "put", object });
const quiet: StormStep = { do: "quiet" };

it("no step of a shrunk plan can be left out, even one that only a later step made necessary", async () => {
  const steps = [write(1), ...Array.from({ length: 20 }, () => write(9)), write(2), quiet];
  const has = (plan: readonly StormStep[], object: number) =>
    plan.some((step) => step.do === "write" && step.object === object);
  // Passes only when the second write is left without the first.
  const replay: Replay = async ({ steps: left }) =>
    left.includes(quiet) && (has(left, 1) || !has(left, 2))
      ? { step: left.length - 1, problems: ["wrong"] }
      : undefined;
  const plan = { seed: 1, objects: 10, steps };
  const failure = { step: steps.length - 1, problems: ["wrong"] };
  expect((await shrink(plan, failure, replay)).steps).toEqual([quiet]);
});
