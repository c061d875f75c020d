import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const scenario: Scenario = {
  operator: async ({ client }) => {
    await maps(client).list();
    await maps(client).apply({ metadata: { name: "b" } }, { fieldManager: "x", force: true });
    await new Promise(() => {});
  },
  steps: { "create a": (client) => maps(client).create({ metadata: { name: "a" } }) },
};
const replay = (...faults: unknown[]) => JSON.stringify({ steps: [1], faults });

describe("CT7: a wrong replay is refused, with the field that is wrong:", () => {
  test.each<[string, string, string]>([
    ["no JSON", "crash", "it is not an object in JSON"],
    ["no steps", '{"faults":[]}', "steps must be numbers from 1 to 1"],
    ["a step twice", '{"steps":[1,1],"faults":[]}', "steps must be numbers from 1 to 1"],
    ["no faults", '{"steps":[1]}', "faults must be an array"],
    ["null as a fault", replay(null), "fault 1: type must be one of crash"],
    ["an unknown type", replay({ type: "crush" }), "fault 1: type must be one of crash"],
    [
      "a crash without a moment",
      replay({ type: "crash", call: 1 }),
      'when of "crash" must be before',
    ],
    [
      "a crash without a call",
      replay({ type: "crash", when: "after" }),
      'call of "crash" must be a',
    ],
    ["a lag at a call", replay({ type: "lag", call: 1 }), 'resource of "lag" must be the plural'],
    [
      "a jump to no date",
      replay({ type: "jump", call: 1, ms: -1e300 }),
      'ms of "jump" must be a number of milliseconds, at most 3153600000000 either way',
    ],
    [
      "an unknown field of a fault",
      replay({ type: "pause", call: 1, constructor: 1 }),
      'fault 1: "pause" has no field "constructor"; its fields are type, call',
    ],
    [
      "an unknown field",
      JSON.stringify({ steps: [1], faults: [], runs: 5 }),
      'a replay has no field "runs"; its fields are steps, faults, seed',
    ],
    [
      "a text as the seed",
      JSON.stringify({ steps: [1], faults: [], seed: "6" }),
      "seed must be an integer from 0 on, or left out",
    ],
    ["a jump by nothing", replay({ type: "jump", call: 1 }), 'ms of "jump" must be a number'],
    [
      "an early step too many",
      replay({ type: "early", step: 2, call: 1 }),
      'step of "early" must be',
    ],
    ["a cut of no kind", replay({ type: "cut", resource: "a", event: 1 }), 'how of "cut" must be'],
  ])("%s", async (_, text, message) => {
    await expect(explore(scenario, { replay: text })).rejects.toThrow(
      expect.objectContaining({
        code: "InvalidArgument",
        message: expect.stringContaining(message),
      }),
    );
  });

  test("as a known one, it is not explored", async () => {
    const { coverage } = await explore(scenario, { runs: 0, faults: [], known: [replay(null)] });
    expect(coverage.notExplored).toContain(
      `a known replay that does not fit this scenario: ${replay(null)}`,
    );
  });
});

const cycle: { self?: unknown } = {};
cycle.self = cycle;

describe("CT7: an operator that returns no controllers is refused, with what it returned:", () => {
  test.each<[string, () => unknown, string]>([
    ["a number", () => 5, "operator: it returns 5, which is no controller"],
    ["a text", () => "x", "operator: it returns a string, which is no controller"],
    ["null", () => null, "operator: it returns null, which is no controller"],
    ["an object", () => ({}), "operator: it returns an object, which is no controller"],
    ["an object with a kind", () => ({ kind: 5 }), "operator: it returns an object, which is no"],
    ["a function", () => () => {}, "operator: it returns a function, which is no controller"],
    [
      "other settings",
      () => ({ settings: 1 }),
      "operator: it returns an object, which is no contr",
    ],
    ["an empty array", () => [], "operator: it returns an empty array"],
    ["an array with 1", () => [1], "operator: it returns an array with 1, which is no controller"],
    ["an array with {}", () => [{}], "operator: it returns an array with an object, which is no"],
    [
      "a promise of a number, without a call",
      async () => 5,
      "the operator makes no calls without any fault, and ends with 5",
    ],
    [
      "a promise of nothing, without a call",
      async () => {},
      "the operator makes no calls without any fault, and ends by itself",
    ],
  ])("%s", async (_, operator, message) => {
    await expect(explore({ ...scenario, operator } as Scenario, { runs: 0 })).rejects.toThrow(
      expect.objectContaining({
        code: "InvalidArgument",
        message: expect.stringMatching(new RegExp(`^\\[InvalidArgument\\] ${message}`)),
        hint: expect.stringContaining("return what defineController() returns, or a promise"),
      }),
    );
  });

  test("a promise of several loops may end with what they return", async () => {
    const operator: Scenario["operator"] = async ({ client }) =>
      Promise.all([maps(client).list(), maps(client).list()]);
    const { coverage } = await explore({ ...scenario, operator }, { runs: 0, faults: [] });
    expect(coverage.notExplored).toContainEqual(
      expect.stringMatching(/^an operator that keeps running: its promise ends by itself/),
    );
  });
});

describe("CT7: wrong input is refused, with its name:", () => {
  test.each<[string, object, string]>([
    ["a number to load", { load: 5 }, "load: must be YAML or JSON as text, an array of objects"],
    ["an array of numbers to load", { load: [5] }, "load: must be YAML or JSON"],
    [
      "a number as the path to load",
      { load: { path: 5 } },
      "load.path: must be the name of a file or folder, as a string or URL",
    ],
    ["no path to load", { load: {} }, "load.path: must be the name of a file"],
    ["an empty path to load", { load: { path: "" } }, "load.path: must be the name of a file"],
    ["an unknown option of load", { load: { path: "x", recursive: true } }, "recursive"],
    [
      "a number as an apiVersion to load",
      { load: [{ apiVersion: 5, kind: "ConfigMap", metadata: { name: "a" } }] },
      "load[0].apiVersion must be a string",
    ],
    [
      "a number as a kind to load",
      { load: [{ apiVersion: "v1", kind: 5, metadata: { name: "a" } }] },
      "load[0].kind must be a string",
    ],
    [
      "a text as metadata to load",
      { load: [{ apiVersion: "v1", kind: "ConfigMap", metadata: "a" }] },
      "load[0].metadata must be an object",
    ],
    ["a missing object to load", { load: Array(1) }, "load[0] is missing: it must be an object"],
    ["null to load", { load: [null] }, "load: must be YAML or JSON"],
    [
      "data of the wrong type to load",
      { load: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: 5 }] },
      'load: [InternalError] ConfigMap "a": failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data',
    ],
    [
      "an object to load that refers to itself",
      { load: [{ apiVersion: "v1", kind: "ConfigMap", data: cycle }] },
      "load[0] must be plain data, as in JSON",
    ],
    [
      "more than a day to stay right",
      { stableMs: 1e9 },
      "stableMs must be a number of at most 86400000",
    ],
    ["more than two days", { withinMs: 1e9 }, "withinMs must be a number of at most 172800000"],
    [
      "ignore that throws",
      {
        ignore: () => {
          throw new Error("no spec");
        },
      },
      "ignore: it throws for ConfigMap b: no spec",
    ],
    [
      "an array without controllers",
      { operator: () => [1] },
      "operator: it returns an array with 1",
    ],
    [
      "an external system that throws",
      {
        externals: {
          dns: () => {
            throw new Error("no zone");
          },
        },
      },
      "externals: the function of dns throws: no zone",
    ],
    [
      "a state that throws",
      {
        externals: {
          dns: () => ({
            state() {
              throw new Error("no zone");
            },
          }),
        },
      },
      "externals: state() of an external system throws: no zone",
    ],
  ])("%s", async (_, wrong, message) => {
    await expect(explore({ ...scenario, ...wrong } as Scenario, { runs: 0 })).rejects.toThrow(
      expect.objectContaining({
        code: "InvalidArgument",
        message: expect.stringContaining(message),
      }),
    );
  });

  test("null as options", async () => {
    await expect(explore(scenario, null as never)).rejects.toThrow(
      "the options of explore() must be an object",
    );
    await expect(explore(null as never)).rejects.toThrow("the scenario of explore()");
  });
});

describe("CT7: the report names as not explored", () => {
  test("faults without one", async () => {
    const { runs, coverage } = await explore(scenario, { faults: [] });
    expect(runs).toBe(1);
    expect(coverage.notExplored).toContain("all faults: the option faults names none");
  });

  test("a promise that ends after the set-up", async () => {
    const operator: Scenario["operator"] = async ({ client }) => void (await maps(client).list());
    const { coverage } = await explore({ ...scenario, operator }, { runs: 0, faults: [] });
    expect(coverage.notExplored).toContainEqual(
      expect.stringMatching(/^an operator that keeps running: its promise ends by itself/),
    );
  });

  test("an operator that wakes every millisecond", async () => {
    const operator: Scenario["operator"] = async ({ client, clock }) => {
      for (;;) {
        const found = await maps(client)
          .find("a")
          .catch(() => undefined);
        for (let n = 0; n < 1_000; n++) {
          await new Promise<void>((resolve) => clock.schedule(1, resolve));
        }
        if (found !== undefined) {
          await maps(client)
            .apply({ metadata: { name: "b" } }, { fieldManager: "x", force: true })
            .catch(() => {});
        }
      }
    };
    const found = await explore({ ...scenario, operator }, { runs: 0, faults: ["crash"] });
    expect(found.findings, found.text()).toEqual([]);
    expect(found.coverage.notExplored).toContainEqual(
      expect.stringMatching(/^mistakes that show later: the operator wakes so often/),
    );
  });

  test("a run without faults that takes longer than the budget", async () => {
    const operator: Scenario["operator"] = async ({ client, clock }) => {
      for (;;) {
        await maps(client).list();
        await new Promise<void>((resolve) => clock.schedule(5_000, resolve));
      }
    };
    const long = { ...scenario, operator, stableMs: 80_000_000 };
    const { runs, coverage } = await explore(long, { budgetMs: 0 });
    expect(runs).toBe(0);
    expect(coverage.notExplored).toContainEqual(
      expect.stringMatching(
        /^everything: the budget of 0 ms ended the run without faults, \d+ s of its clock after the last step; give a larger budgetMs, or a smaller stableMs$/,
      ),
    );
  });
});

test("CT7: several faults are chosen among the types that are tried", async () => {
  const two: Scenario = {
    ...scenario,
    operator: async ({ client }) => {
      for (const name of ["b", "c", "d"]) {
        await maps(client).apply({ metadata: { name } }, { fieldManager: "x", force: true });
      }
      await new Promise(() => {});
    },
    // Fails when two processes have ended before.
    invariants: {
      "at most two starts": (world) =>
        world.get(ConfigMap, "d") === undefined ? true : starts < 3,
    },
  };
  let starts = 0;
  const operator: Scenario["operator"] = async (context) => {
    starts = Number(context.identity.replace("operator-", ""));
    await two.operator(context);
  };
  const found = await explore({ ...two, operator }, { runs: 20, faults: ["crash"] });
  expect(found.findings).toMatchObject([
    { kind: "invariant violated", faults: [{ type: "crash" }, { type: "crash" }] },
  ]);
});

describe("CT7: an external system that is only read", () => {
  test("is not called hidden when its state can be seen", async () => {
    const found = await explore<{ readonly prices: { get(name: string): Promise<number> } }>(
      {
        steps: scenario.steps,
        externals: { prices: () => ({ tea: 3, get: async () => 3 }) },
        operator: async ({ client, externals }) => {
          await maps(client).list();
          await externals.prices.get("tea");
          await new Promise(() => {});
        },
      },
      { runs: 0, faults: [] },
    );
    expect(found.coverage.notExplored.filter((what) => what.includes("external"))).toEqual([]);
  });
});
