import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const names = ["b", "c", "d"];

/** Writes `b`, `c` and `d`; those of `forgets` only once, whether it succeeds or not. */
const writing =
  (forgets: readonly string[]): Scenario["operator"] =>
  async ({ client, clock }) => {
    for (const name of names) {
      for (let isDue = true; isDue; ) {
        isDue = await maps(client)
          .apply({ metadata: { name } }, { fieldManager: "x", force: true })
          .then(
            () => false,
            () => !forgets.includes(name),
          );
        if (isDue) {
          await new Promise<void>((resolve) => clock.schedule(1_000, resolve));
        }
      }
    }
    await new Promise(() => {});
  };
const scenarioOf = (forgets: readonly string[]): Scenario => ({
  operator: writing(forgets),
  steps: { "create a": (client) => maps(client).create({ metadata: { name: "a" } }) },
});

describe("CT7: a known finding", () => {
  test("hides the runs that fail in the same way, and says how many with how many faults", async () => {
    const first = await explore(scenarioOf(["b"]), { runs: 0, faults: ["refuse", "lose"] });
    expect(first.findings).toMatchObject([
      { difference: ["- ConfigMap default b"], alsoIn: { runs: 2, faults: 2 } },
    ]);
    const known = first.findings.map(({ replay }) => replay);
    const second = await explore(scenarioOf(["b"]), { runs: 0, faults: ["refuse", "lose"], known });
    expect(second.findings).toEqual([]);
    expect(second.known).toMatchObject([{ replay: known[0], alsoIn: { runs: 3, faults: 3 } }]);
    expect(second.text()).toContain(
      "3 other runs, with 3 different faults, fail in the same way, and are not shown",
    );
    second.assertPassed();
  });

  test("is recognized when another fault leads to it first", async () => {
    const first = await explore(scenarioOf(["b"]), { runs: 0, faults: ["lose"] });
    const known = first.findings.map(({ replay }) => replay);
    const second = await explore(scenarioOf(["b"]), { runs: 20, known });
    expect(second.findings).toEqual([]);
    expect(second.known).toHaveLength(1);
  });

  test("hides no other object with the same words", async () => {
    const converged: Scenario["converged"] = (world) =>
      names.every((name) => world.get(ConfigMap, name) !== undefined);
    const scenario = { ...scenarioOf(["b", "c"]), converged, withinMs: 60_000 };
    const first = await explore(scenario, { runs: 0, faults: ["refuse"], maxFindings: 1 });
    expect(first.findings).toMatchObject([
      { message: "converged is false", difference: ["- ConfigMap default b"] },
    ]);
    const known = first.findings.map(({ replay }) => replay);
    const second = await explore(scenario, { runs: 30, faults: ["refuse"], known });
    expect(second.findings).toMatchObject([
      { message: "converged is false", difference: ["- ConfigMap default c"] },
    ]);
    expect(second.known).toMatchObject([{ difference: ["- ConfigMap default b"] }]);
  });

  test("hides no failure of the same run in another object, nor another invariant", async () => {
    const scenario: Scenario = {
      ...scenarioOf(names),
      invariants: {
        "c comes after b": (world) =>
          world.get(ConfigMap, "c") === undefined || world.get(ConfigMap, "b") !== undefined,
        "d comes after c": (world) =>
          world.get(ConfigMap, "d") === undefined || world.get(ConfigMap, "c") !== undefined,
      },
    };
    const options = { runs: 0, faults: ["refuse"], maxFindings: 20 } as const;
    const { findings } = await explore(scenario, options);
    const words = findings.map(({ kind, message }) => `${kind}: ${message}`);
    expect(words).toEqual([
      "invariant violated: c comes after b: it does not hold",
      "another state: ConfigMap default b is not as in the run without faults",
      "invariant violated: d comes after c: it does not hold",
      "another state: ConfigMap default c is not as in the run without faults",
      "another state: ConfigMap default d is not as in the run without faults",
    ]);
  });
});
