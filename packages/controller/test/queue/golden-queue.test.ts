import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runScenario, type ScenarioResult } from "./golden/scenario.js";
import { scenarios } from "./golden/scenarios.js";

// Results of client-go and controller-runtime; test/black-box/golden-queue.test.ts runs them and compares this file.
const recorded = new URL("golden/go-results.json", import.meta.url);
const results: readonly ScenarioResult[] = JSON.parse(readFileSync(recorded, "utf8"));

describe("the queues compared with those of client-go and controller-runtime", () => {
  it("CT11: there is a recorded result for each scenario", () => {
    expect(results.map(({ name }) => name)).toEqual(scenarios.map(({ name }) => name));
  });

  it.each(scenarios)("CT11: $name", async (scenario) => {
    const result = results.find(({ name }) => name === scenario.name);
    expect(await runScenario(scenario)).toEqual(result);
  });
});
