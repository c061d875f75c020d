import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const scenario: Scenario = {
  operator: async ({ client }) => {
    await maps(client).list();
    await new Promise(() => {});
  },
  steps: { "create a": (client) => maps(client).create({ metadata: { name: "a" } }) },
};

describe("CT7: a wrong scenario is refused, with what is wrong:", () => {
  test.each<[string, object, string]>([
    ["a misspelt name", { step: {} }, 'a scenario has no option "step"'],
    ["no steps", { steps: undefined }, "the scenario has no steps"],
    ["empty steps", { steps: {} }, "the scenario has no steps"],
    ["steps as a list", { steps: [() => {}] }, "steps: must be an object of functions"],
    ["a step that is no function", { steps: { a: 1 } }, "steps: must be an object of functions"],
    ["no operator", { operator: undefined }, "the scenario has no operator"],
    ["an operator that is no function", { operator: {} }, "operator: must be a function"],
    ["true as a check of the end", { converged: true }, "converged: must be a function"],
    ["true as an invariant", { invariants: { a: true } }, "invariants: must be an object of"],
    ["an external system that exists", { externals: { dns: {} } }, "externals: must be an object"],
    ["what to ignore as a list", { ignore: ["Event"] }, "ignore: must be a function"],
    ["a number as a name", { name: 1 }, "name: must be a string"],
    ["a time as a text", { withinMs: "60s" }, "withinMs: must be a finite number above 0"],
    ["a time without an end", { withinMs: Infinity }, "withinMs: must be a finite number above 0"],
    ["a time that is too short", { withinMs: 5 }, "withinMs must be a number of at least 20000"],
    [
      "a time that is shorter than it must stay right twice",
      { withinMs: 60_000, stableMs: 40_000 },
      "withinMs must be a number of at least 80000",
    ],
    ["no time to stay right", { stableMs: 0 }, "stableMs: must be a finite number above 0"],
    ["true as a server", { server: true }, "server: must be an object"],
    ["a clock of the server", { server: { clock: "real" } }, 'has no option "clock"'],
    ["a wrong option of the server", { server: { historyLimit: -1 } }, "server.historyLimit: must"],
    ["a list of controllers", { manager: { controllers: [] } }, 'has no option "controllers"'],
    ["a wrong option of the manager", { manager: { queue: "fast" } }, "manager.queue: must be"],
  ])("%s", async (_, wrong, message) => {
    await expect(explore({ ...scenario, ...wrong } as Scenario, { runs: 0 })).rejects.toThrow(
      message,
    );
  });

  test("and a right one is not", async () => {
    const right: Scenario = {
      ...scenario,
      name: "right",
      load: [],
      server: { controllers: false },
      manager: { queue: "classic" },
      externals: {},
      invariants: {},
      converged: () => true,
      ignore: () => false,
      stableMs: 5_000,
      withinMs: 10_000,
    };
    expect((await explore(right, { runs: 0, faults: [] })).findings).toEqual([]);
  });
});

describe("CT7: how long the world must stay right", () => {
  /** Creates `b`; when the response was lost, it deletes `b` half a minute later. */
  const forgetful: Scenario = {
    ...scenario,
    operator: async ({ client, clock }) => {
      try {
        await maps(client).create({ metadata: { name: "b" } });
      } catch {
        clock.schedule(
          30_000,
          () =>
            void maps(client)
              .delete("b")
              .catch(() => {}),
        );
      }
      await new Promise(() => {});
    },
  };

  test("a failure that shows later is found when the scenario says so, and only then", async () => {
    const replay = '{"steps":[1],"faults":[{"type":"lose","call":1,"when":"after"}]}';
    expect((await explore(forgetful, { replay })).findings).toEqual([]);
    expect((await explore({ ...forgetful, stableMs: 60_000 }, { replay })).findings).toMatchObject([
      { kind: "another state", difference: ["- ConfigMap default b"] },
    ]);
  });

  test("may be longer than the default of withinMs", async () => {
    const long = { ...scenario, stableMs: 400_000 };
    expect((await explore(long, { runs: 0, faults: ["lose"] })).findings).toEqual([]);
  });
});

describe("CT7: external systems whose state cannot be seen are named:", () => {
  interface Dns {
    set(host: string): Promise<void>;
  }
  class PrivateDns implements Dns {
    readonly hosts: string[] = [];
    readonly #secret: string[] = [];
    async set(host: string) {
      this.hosts.push(host);
      this.#secret.push(host);
    }
  }
  class SaidDns extends PrivateDns {
    state() {
      return this.hosts;
    }
  }
  const closure = (): Dns => {
    const hosts = new Set<string>();
    return { set: async (host) => void hosts.add(host) };
  };
  const open = (): Dns => {
    const hosts = new Set<string>();
    return { hosts, set: async (host: string) => void hosts.add(host) } as Dns;
  };
  const undone = (): Dns => {
    const hosts: string[] = [];
    const dns = {
      hosts,
      set: async (host: string) => {
        if (hosts.length === 0) {
          hosts.push(host);
        } else {
          hosts.pop();
        }
      },
    };
    return dns;
  };

  test.each<[string, () => Dns, string[]]>([
    ["variables of a closure", closure, ["its calls change nothing that can be seen"]],
    ["private fields beside public ones", () => new PrivateDns(), ["it has private fields"]],
    ["none with state()", () => new SaidDns(), []],
    ["none with public fields", open, []],
    ["none with fields that change and change back", undone, []],
  ])("%s", async (_, make, reasons) => {
    const found = await explore<{ readonly dns: Dns }>(
      {
        steps: { "create a": (client) => maps(client).create({ metadata: { name: "a" } }) },
        externals: { dns: make },
        operator: async ({ client, externals }) => {
          await maps(client).list();
          await externals.dns.set("tea");
          await externals.dns.set("tea");
          await new Promise(() => {});
        },
      },
      { runs: 0, faults: [] },
    );
    expect(found.coverage.notExplored.filter((what) => what.includes("external system"))).toEqual(
      reasons.map(
        (why) => `the state of the external system dns: ${why}; a method state() would return it`,
      ),
    );
  });
});
