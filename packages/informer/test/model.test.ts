import { expect, it } from "vitest";
import { runFollowPlan } from "./model/follow-run.js";
import { planOf } from "./model/model-plan.js";
import { runPlan } from "./model/model-run.js";
import { shrinkPlan } from "./model/shrink-plan.js";

/** Number of plans per test, and the first of them. Set TYPEKUBE_MODEL_SEEDS for more than a quick run has time for. */
const seeds = Number(process.env["TYPEKUBE_MODEL_SEEDS"] ?? 500);
const first = Number(process.env["TYPEKUBE_MODEL_FIRST"] ?? 1);

it(`an informer and its handlers match the server, whatever happens (${seeds} seeds)`, async () => {
  for (let seed = first; seed < first + seeds; seed++) {
    const plan = planOf(seed, 60);
    const failure = await runPlan(plan);
    if (failure !== undefined) {
      expect.fail(await shrinkPlan(plan, failure, runPlan));
    }
  }
}, 600_000);

it(`a map built from the events of follow alone matches the server, however slow its reader (${seeds} seeds)`, async () => {
  for (let seed = first; seed < first + seeds; seed++) {
    const plan = planOf(seed, 60);
    const failure = await runFollowPlan(plan);
    if (failure !== undefined) {
      expect.fail(await shrinkPlan(plan, failure, runFollowPlan));
    }
  }
}, 600_000);
