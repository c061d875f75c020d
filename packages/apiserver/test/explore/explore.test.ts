import { defineController } from "@typekube/controller";
import { ConfigMap, Secret } from "typekube/api/core/v1";
import { describe, expect, test, vi } from "vitest";
import { explore, type Scenario } from "../../src/testing/index.js";

const tea = { metadata: { name: "tea", namespace: "default", labels: { app: "shop" } }, data: {} };
const only = { labelSelector: "app=shop" };

/** Copies each shop into a Secret of a fixed name: whatever goes wrong, there is one in the end. */
const careful: Scenario = {
  operator: () =>
    defineController(
      { kind: ConfigMap, ...only },
      {
        owns: [Secret],
        async reconcile(shop, run) {
          await run.apply(Secret, { metadata: { name: shop.metadata.name } });
        },
      },
    ),
  steps: {
    "create a shop": (client) => client.resource(ConfigMap, "default").create(tea),
  },
};

/** The same with a generated name, after a look into the cache only. */
const careless: Scenario = {
  ...careful,
  name: "careless",
  operator: () =>
    defineController(
      { kind: ConfigMap, ...only },
      {
        reads: [Secret],
        async reconcile(shop, run) {
          if (shop.data?.["secret"] === undefined) {
            const made = await run.create(Secret, { metadata: { generateName: "shop-" } });
            await run.createOrUpdate(ConfigMap, shop.metadata.name, (draft) => {
              draft.data = { secret: made.metadata.name };
            });
          }
        },
      },
    ),
};

describe("CT6: crashes at every write", () => {
  test("are one line to try, and a correct operator passes", async () => {
    const found = await explore(careful, { faults: ["crash"], runs: 0 });
    expect(found.findings).toEqual([]);
    const [write] = found.coverage.calls.filter(({ call }) => call.startsWith("patch secrets"));
    expect(write?.tried).toEqual(["crash before", "crash after"]);
    found.assertPassed();
  });

  test("show a child that is created twice, with the shortest run", async () => {
    const found = await explore(careless, { faults: ["crash"], runs: 0 });
    const [finding] = found.findings;
    expect(finding).toMatchObject({
      kind: "created twice",
      message: "Secret default shop-* (2) exists",
      faults: [{ type: "crash", when: "after" }],
      steps: ["create a shop"],
      difference: ["+ Secret default shop-* (2)"],
    });
    expect(finding?.lines.map(({ who, what, result }) => `${who}: ${what} ${result}`)).toEqual([
      "user: step 1: create a shop ",
      "fault: the operator stops after call 3 ",
      "operator-1: 3. create secrets default 201, and the process ends",
      "operator-2: starts ",
      "operator-2: 6. create secrets default 201",
      "operator-2: 7. update configmaps default/tea 200",
      expect.stringContaining("explorer: did not converge"),
    ]);
    expect(() => found.assertPassed()).toThrow("created twice: Secret default shop-* (2) exists");
  });
});

describe("CT7: the whole matrix", () => {
  test("is passed by a correct operator, alone and by seed", async () => {
    const found = await explore(careful, { runs: 50 });
    expect(found.text()).toContain("0 findings in");
    expect(found.findings).toEqual([]);
    expect(found.coverage.events.every(({ tried }) => tried === 9)).toBe(true);
  });

  test("gives the same bytes for the same seed, and a replay that repeats each finding", async () => {
    const [one, two] = [await explore(careless, { seed: 7 }), await explore(careless, { seed: 7 })];
    expect(two.text()).toBe(one.text());
    expect(two.html()).toBe(one.html());
    expect(one.findings.length).toBeGreaterThan(0);
    for (const { replay, kind, lines } of one.findings) {
      const again = await explore(careless, { replay });
      expect(again.findings).toMatchObject([{ kind, lines }]);
      expect((await explore(careful, { replay })).findings).toEqual([]);
    }
  });

  test("ends at a number of findings, and leaves out known ones", async () => {
    const first = await explore(careless, { maxFindings: 1, runs: 0 });
    expect(first.findings).toHaveLength(1);
    expect(first.coverage.notExplored).toContainEqual(
      expect.stringContaining("1 finding is enough"),
    );
    const known = first.findings.map(({ replay }) => replay);
    const second = await explore(careless, { faults: ["crash"], runs: 0, known });
    expect([second.known.length, second.findings.length]).toEqual([1, 0]);
    second.assertPassed();
  });

  test("compares without what differs from run to run", async () => {
    const operator: Scenario["operator"] = () =>
      defineController(
        { kind: ConfigMap, ...only },
        {
          owns: [Secret],
          async reconcile({ metadata }, run) {
            const name = `of-${metadata.uid.slice(0, 8)}`;
            const at = `synced at ${metadata.creationTimestamp}`;
            await run.apply(Secret, { metadata: { name, annotations: { at } } });
          },
        },
      );
    const steps: Scenario["steps"] = {
      ...careful.steps,
      "create another": (client) =>
        client
          .resource(ConfigMap, "default")
          .create({ ...tea, metadata: { ...tea.metadata, name: "coffee" } }),
    };
    expect((await explore({ operator, steps }, { runs: 20 })).text()).toMatch(/^0 findings/);
  });

  test("shortens a run only as far as its end can be judged", async () => {
    const both: Scenario = {
      steps: {
        ...careful.steps,
        "create another": (client) =>
          client
            .resource(ConfigMap, "default")
            .create({ ...tea, metadata: { ...tea.metadata, name: "coffee" } }),
      },
      converged: (world) => world.list(Secret, "default").length === 2 || "Secrets are missing",
      withinMs: 60_000,
      operator: async ({ client }) => {
        for await (const { type, object } of client.resource(ConfigMap, "default").watch()) {
          if (type === "ADDED" && object.metadata.labels?.["app"] === "shop") {
            const { name } = object.metadata;
            await client
              .resource(Secret, "default")
              .create({ metadata: { name } })
              .catch(() => {});
          }
        }
      },
    };
    const [finding] = (await explore(both, { faults: ["refuse"], runs: 0 })).findings;
    expect(finding).toMatchObject({
      kind: "did not converge",
      faults: [{ type: "refuse" }],
      steps: ["create a shop", "create another"],
    });
  });

  test("ends with its budget, and says what was left out", async () => {
    const { coverage, runs } = await explore(careful, { budgetMs: 0 });
    expect(runs).toBe(0);
    expect(coverage.notExplored).toContainEqual(
      expect.stringMatching(/^\d+ of \d+ runs: the budget of 0 ms is used up$/),
    );
  });
});

describe("bad input", () => {
  test.each([
    ["no steps", { ...careful, steps: {} }, {}, "the scenario has no steps"],
    [
      "a number as a name",
      { ...careful, steps: { 1: () => {} } },
      {},
      'the step "1" is named by a number',
    ],
    [
      "a step that fails",
      { ...careful, steps: { fail: () => Promise.reject(new Error("no tea")) } },
      {},
      "a step fails without any fault: fail: no tea",
    ],
    ["a wrong option", careful, { seeds: 1 }, "seeds"],
    ["a wrong type of fault", careful, { faults: ["crush"] }, "faults"],
    [
      "another text as a replay",
      careful,
      { replay: "{}" },
      "the replay does not fit this scenario",
    ],
    [
      "a replay of other steps",
      careful,
      { replay: '{"steps":[2],"faults":[]}' },
      "the replay does not fit this scenario",
    ],
  ])("%s is refused", async (_, scenario, options, message) => {
    await expect(explore(scenario as Scenario, options as never)).rejects.toThrow(message);
  });

  test("an operator that differs from run to run is refused", async () => {
    let runs = 0;
    const scenario: Scenario = {
      ...careful,
      operator: async ({ client }) => {
        runs += 1;
        await client.resource(ConfigMap, "default").create({ metadata: { name: `run-${runs}` } });
        await new Promise(() => {});
      },
    };
    await expect(explore(scenario)).rejects.toThrow(
      /two runs without faults differ, first in - ConfigMap default run-/,
    );
  });

  test("an operator that does nothing is refused, and controllers in a promise are run", async () => {
    await expect(explore({ ...careful, operator: async () => {} })).rejects.toThrow(
      "the operator makes no calls without any fault",
    );
    const { operator } = careful;
    const later: Scenario = { ...careful, operator: async (context) => operator(context) };
    expect((await explore(later, { faults: ["crash"], runs: 0 })).text()).toContain(
      "patch secrets",
    );
  });

  test("one search at a time: rejections belong to it", async () => {
    const first = explore(careful, { runs: 0, faults: [] });
    await expect(
      Promise.all([explore(careful, { runs: 0 }), explore(careful, { runs: 0 })]),
    ).rejects.toThrow("another explore() is running in this process");
    await first.catch(() => {});
  });

  test("an error of a timer ends the process of the operator", async () => {
    const operator: Scenario["operator"] = async ({ client, clock }) => {
      await client.resource(ConfigMap, "default").list();
      clock.schedule(1_500, () => {
        throw new Error("in a timer");
      });
      await new Promise(() => {});
    };
    await expect(explore({ ...careful, operator })).rejects.toThrow(
      "the operator ends without any fault: in a timer",
    );
  });

  test("checks that return promises, and times that are too short, are named", async () => {
    const found = await explore(
      { ...careful, invariants: { late: async () => true } },
      { runs: 0 },
    );
    expect(found.findings[0]?.message).toContain("late: it returns a promise");
    await expect(explore({ ...careful, withinMs: 5 })).rejects.toThrow("withinMs must be");
  });

  test("an operator that ends without any fault is refused", async () => {
    const operator = () => Promise.reject(new Error("no KUBECONFIG"));
    await expect(explore({ ...careful, operator })).rejects.toThrow(
      "the operator ends without any fault: no KUBECONFIG",
    );
  });

  test("real timers are reported as not explored", async () => {
    const timers: NodeJS.Timeout[] = [];
    const scenario: Scenario = {
      ...careful,
      operator: async ({ client }) => {
        await client.resource(ConfigMap, "default").list();
        await new Promise((resolve) => timers.push(setTimeout(resolve, 100_000)));
      },
    };
    const { coverage } = await explore(scenario, { runs: 0 });
    timers.forEach(clearTimeout);
    expect(coverage.notExplored).toContainEqual("real I/O and timers of the process: Timeout");
  });

  test("the listeners of the process for rejections are in place afterwards", async () => {
    const listener = vi.fn();
    process.on("unhandledRejection", listener);
    const before = process.listeners("unhandledRejection");
    await explore(careful, { runs: 0, faults: [] });
    expect(process.listeners("unhandledRejection")).toEqual(before);
    process.off("unhandledRejection", listener);
  });
});
