import { expect, it } from "vitest";
import { seedOfRun } from "../seed-of-run.js";
import { operatorPlan, runOperatorStorm } from "./operator-storm.js";

/** Faults and custom resources; the whole storm has 5,000 and 500. */
const faults = Number(process.env["TYPEKUBE_OPERATOR_FAULTS"] ?? 300);
const shops = Number(process.env["TYPEKUBE_OPERATOR_SHOPS"] ?? 60);

/** Writes with faults: this many times those without, and one for each fault. */
const mostWrites = 1.5;

it(`an operator keeps ${shops} custom resources and their children right through ${faults} faults`, {
  timeout: 120_000 + faults * 1_000,
}, async () => {
  const plan = operatorPlan(seedOfRun, faults, shops);
  const storm = await runOperatorStorm(plan);
  const calm = await runOperatorStorm(storm.calm);
  console.log(
    `operator storm, seed ${plan.seed}: ${storm.faults} faults, ${storm.changes} changes, ${storm.quiets} quiet points; ` +
      `${storm.writes} writes, ${calm.writes} without faults (${calm.changes} changes); ` +
      `failed runs: ${storm.errors.map(([code, count]) => `${count} ${code}`).join(", ")}`,
  );
  expect(storm.problems).toEqual([]);
  expect(calm.problems).toEqual([]);
  expect(storm.faults).toBeGreaterThanOrEqual(faults);
  expect(storm.writes).toBeLessThanOrEqual(mostWrites * calm.writes + storm.faults);
});
