import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const named = (name: string) => (client: OperatorContext["client"]) =>
  maps(client).create({ metadata: { name } });

/** Lists, and then writes one object: two calls. */
const scenario: Scenario = {
  operator: async ({ client }) => {
    await maps(client).list();
    await maps(client).apply({ metadata: { name: "z" } }, { fieldManager: "x", force: true });
    await new Promise(() => {});
  },
  steps: { "create a": named("a"), "create b": named("b") },
};
const replayOf = (...faults: unknown[]) => JSON.stringify({ steps: [1, 2], faults });
const crash = { type: "crash", call: 2, when: "after" };

test("CT7: a replay shows each kind of failure of its run", async () => {
  const silent: Scenario = {
    ...scenario,
    operator: async ({ client }) => {
      await maps(client).list();
      void maps(client).apply({ metadata: { name: "z" } }, { fieldManager: "x", force: true });
      await new Promise(() => {});
    },
  };
  const replay = replayOf({ type: "refuse", call: 2, status: 500 });
  const { findings } = await explore(silent, { replay });
  expect(findings).toMatchObject([
    { kind: "unhandled rejection", replay },
    { kind: "another state", message: expect.stringContaining("ConfigMap default z"), replay },
  ]);
});

describe("CT7: an operator that fails by its random numbers", () => {
  const lucky: Scenario = {
    ...scenario,
    operator: async ({ client, random }) => {
      const luck = random();
      await maps(client)
        .list()
        .catch(() => (luck < 0.5 ? named("wrong")(client) : undefined));
      await new Promise(() => {});
    },
  };
  const search = (seed: number) => explore(lucky, { seed, runs: 0, faults: ["refuse"] });

  test("is repeated by the replay of a search with any seed, without the seed", async () => {
    const found = await search(6);
    const [finding] = found.findings;
    expect(finding?.message).toContain("ConfigMap default wrong");
    const { replay = "" } = finding ?? {};
    expect(JSON.parse(replay)).toMatchObject({ seed: 6 });
    const again = await explore(lucky, { replay });
    expect(again.findings).toMatchObject([{ message: finding?.message, replay }]);
    expect(again.seed).toBe(6);
  });

  test("is known in a search with another seed", async () => {
    const { findings } = await search(6);
    const known = findings.map(({ replay }) => replay);
    const other = await explore(lucky, { runs: 0, faults: ["refuse"], known });
    expect(other.known).toMatchObject([{ replay: known[0] }]);
    expect(other.findings).toEqual([]);
  });
});

describe("CT7: a replay whose fault does not occur", () => {
  test.each<[string, object, string]>([
    [
      "at a call that is never made",
      { type: "crash", call: 999, when: "before" },
      "the operator stops before call 999",
    ],
    [
      "at an event that never comes",
      { type: "cut", resource: "pods", event: 1, how: "break" },
      "the watch of pods breaks after event 1",
    ],
    [
      "since a read is never in conflict",
      { type: "refuse", call: 1, status: 409 },
      "call 1 is refused with 409",
    ],
    [
      "since the list accepts no old state",
      { type: "stale", call: 1, writes: 1 },
      "call 1 reads the state 1 write ago",
    ],
    [
      "since another step is the next one",
      { type: "early", step: 2, call: 1 },
      "step 2 happens before call 1",
    ],
  ])("%s does not pass, and names the fault", async (_, fault, words) => {
    const found = await explore(scenario, { replay: replayOf(crash, fault) });
    expect(found.findings, found.text()).toEqual([]);
    expect(found.absentFaults).toEqual([fault]);
    expect(found.text()).toMatch(/^0 findings in 1 run, seed 1; 1 fault did not occur\n/);
    expect(found.text()).toContain(`\ndid not occur:\n  ${words}\n`);
    expect(found.html()).toContain(words);
    expect(found.html()).toContain("<p>1 run, seed 1");
    expect(() => found.assertPassed()).toThrow(
      expect.objectContaining({
        code: "InvalidState",
        message: expect.stringContaining(
          `the replay no longer meets its faults: ${words} did not occur`,
        ),
      }),
    );
  });

  test("passes when each fault occurs", async () => {
    const found = await explore(scenario, { replay: replayOf(crash) });
    expect(found.absentFaults).toEqual([]);
    expect(found.text()).toMatch(/^0 findings in 1 run, seed 1\n/);
    found.assertPassed();
  });

  test("is not part of a finding, nor of its replay", async () => {
    const forgetful: Scenario = {
      ...scenario,
      operator: async ({ client }) => {
        await maps(client).list();
        await maps(client)
          .apply({ metadata: { name: "z" } }, { fieldManager: "x", force: true })
          .catch(() => {});
        await new Promise(() => {});
      },
    };
    const refused = { type: "refuse", call: 2, status: 500 };
    const absent = { ...crash, call: 999 };
    const found = await explore(forgetful, { replay: replayOf(refused, absent) });
    expect(found.findings).toMatchObject([{ faults: [refused], replay: replayOf(refused) }]);
    expect(found.absentFaults).toEqual([absent]);
  });

  test("is named when it is a known one, and so is a known one that passes", async () => {
    const [absent, passes] = [replayOf({ ...crash, call: 999 }), replayOf(crash)];
    const { coverage } = await explore(scenario, { runs: 0, known: [absent, passes] });
    expect(coverage.notExplored).toContain(
      `a known replay that no longer fails, since a fault does not occur (the operator stops after call 999): ${absent}`,
    );
    expect(coverage.notExplored).toContain(`a known replay that no longer fails: ${passes}`);
  });
});
