import { expect, it } from "vitest";
import { runFollowPlan } from "./model/follow-run.js";
import { planOf } from "./model/model-plan.js";
import { runPlan } from "./model/model-run.js";
import { shrinkPlan } from "./model/shrink-plan.js";

/** How many plans each test runs, and which comes first. TYPEKUBE_MODEL_SEEDS asks for more than a quick run has time for. */
const seeds = Number(process.env["TYPEKUBE_MODEL_SEEDS"] ?? 500);
const first = Number(process.env["TYPEKUBE_MODEL_FIRST"] ?? 1);

it(`whatever happens to it, an informer shows what the server has, and so do its handlers (${seeds} seeds)`, async () => {
  for (let seed = first; seed < first + seeds; seed++) {
    const plan = planOf(seed, 60);
    const failure = await runPlan(plan);
    if (failure !== undefined) {
      expect.fail(await shrinkPlan(plan, failure, runPlan));
    }
  }
}, 600_000);

it(`who keeps a map by the events of follow alone has what the server has, however slowly it reads (${seeds} seeds)`, async () => {
  for (let seed = first; seed < first + seeds; seed++) {
    const plan = planOf(seed, 60);
    const failure = await runFollowPlan(plan);
    if (failure !== undefined) {
      expect.fail(await shrinkPlan(plan, failure, runFollowPlan));
    }
  }
}, 600_000);
