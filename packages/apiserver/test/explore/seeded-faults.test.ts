import { ConfigMap } from "typekube/api/core/v1";
import { expect, test } from "vitest";
import { seededFaults } from "../../src/testing/explore/plan/seeded-faults.js";
import type { Call } from "../../src/testing/explore/record/call.js";
import { explore, type Scenario } from "../../src/testing/index.js";

const list: Call = {
  call: 1,
  process: "operator-1",
  step: 1,
  atMs: 0,
  commits: 0,
  verb: "list",
  resource: "configmaps",
  name: "default",
  isWrite: false,
  isExternal: false,
  acceptsOldState: false,
};

test("CT7: no fault of a seed is there twice, however few there are", () => {
  const reference = { calls: [list], events: new Map([["configmaps", 1]]) };
  for (let seed = 1; seed <= 500; seed++) {
    const faults = seededFaults(
      seed,
      reference,
      [1, 2],
      ({ type }) => type === "early" || type === "cut",
    );
    const texts = faults.map((fault) => JSON.stringify(fault));
    expect(new Set(texts).size, `seed ${seed}: ${texts.join()}`).toBe(texts.length);
    expect(faults.length).toBeGreaterThan(1);
  }
});

test("CT7: a step that comes early twice in a replay comes once", async () => {
  const scenario: Scenario = {
    operator: async ({ client }) => {
      await client.resource(ConfigMap, "default").list();
      await new Promise(() => {});
    },
    steps: {
      "create a": (client) =>
        client.resource(ConfigMap, "default").create({ metadata: { name: "a" } }),
      "create b": (client) =>
        client.resource(ConfigMap, "default").create({ metadata: { name: "b" } }),
    },
  };
  const early = { type: "early", step: 1, call: 1 };
  const found = await explore(scenario, {
    replay: JSON.stringify({ steps: [1, 2], faults: [early, early] }),
  });
  expect(found.findings).toEqual([]);
  expect(found.absentFaults).toEqual([]);
});
