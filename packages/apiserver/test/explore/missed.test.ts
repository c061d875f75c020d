import { mergePatch } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const forEver = () => new Promise<void>(() => {});
const mapOf = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });

describe("CT7: failures that a search must not miss:", () => {
  test("an invariant that was violated before a step became impossible", async () => {
    const scenario: Scenario = {
      load: [{ ...mapOf("tea"), metadata: { name: "tea", namespace: "default" } }],
      async operator({ client }) {
        const found = await maps(client)
          .list()
          .catch(() => undefined);
        if (found === undefined) {
          await maps(client).delete("tea");
        }
        await forEver();
      },
      invariants: { "tea is never deleted": (world) => world.get(ConfigMap, "tea") !== undefined },
      steps: {
        "change tea": (client) => maps(client).patch("tea", mergePatch({ data: { a: "1" } })),
      },
    };
    const { findings } = await explore(scenario, { runs: 0, faults: ["refuse"] });
    expect(findings.map(({ kind }) => kind)).toEqual(["invariant violated"]);
    const again = await explore(scenario, { replay: findings[0]?.replay ?? "" });
    expect(again.findings.map(({ kind }) => kind)).toEqual(["invariant violated"]);
  });

  test("an object of load that should be deleted, and is never written", async () => {
    const scenario: Scenario = {
      load: [
        { ...mapOf("tea"), metadata: { name: "tea", namespace: "default" } },
        { ...mapOf("tea-child"), metadata: { name: "tea-child", namespace: "default" } },
      ],
      async operator({ client }) {
        for (;;) {
          try {
            for await (const { type, object } of maps(client).watch()) {
              if (type === "DELETED" && object.metadata.name === "tea") {
                await maps(client).delete("tea-child");
              }
            }
          } catch {
            // Watches again.
          }
        }
      },
      steps: { "delete tea": (client) => maps(client).delete("tea") },
    };
    const { findings } = await explore(scenario, { runs: 0, faults: ["crash"] });
    expect(findings.map(({ difference }) => difference.join())).toContainEqual(
      expect.stringContaining("tea-child"),
    );
  });
});

describe("CT7: external systems are refused with their name:", () => {
  const scenario: Scenario = {
    async operator({ client }) {
      await maps(client).list();
      await forEver();
    },
    steps: { "create tea": (client) => maps(client).create({ metadata: { name: "tea" } }) },
  };
  test.each<[string, () => unknown, string]>([
    ["a promise", async () => ({}), "the external system dns must return an object at once"],
    ["nothing", () => undefined, "the external system dns must return an object at once"],
    ["a promise as the state", () => ({ state: async () => 1 }), "state() of an external system"],
  ])("%s", async (_, dns, message) => {
    await expect(
      explore({ ...scenario, externals: { dns: dns as () => object } } as Scenario, { runs: 0 }),
    ).rejects.toThrow(message);
  });
});

test("CT7: an identity of all processes is refused", async () => {
  const scenario: Scenario = {
    manager: { leaderElection: { identity: "pod-a" } as never },
    operator: () => forEver(),
    steps: { "create tea": (client) => maps(client).create({ metadata: { name: "tea" } }) },
  };
  await expect(explore(scenario, { runs: 0 })).rejects.toThrow(
    "manager.leaderElection.identity can't be set here",
  );
});

test("CT7: a world that becomes right just before the end is no finding", async () => {
  const scenario: Scenario = {
    externals: { price: () => ({ value: 1, get: () => 1 }) },
    withinMs: 20_000,
    stableMs: 10_000,
    async operator({ client, clock }) {
      await maps(client).list();
      await new Promise<void>((resolve) => clock.schedule(9_500, resolve));
      await maps(client).apply({ metadata: { name: "tea" } }, { force: true, fieldManager: "x" });
      await forEver();
    },
    steps: { wait: () => undefined },
  };
  const { findings } = await explore(scenario, { runs: 30, faults: ["jump", "refuse", "crash"] });
  expect(findings.filter(({ difference }) => difference.length === 0)).toEqual([]);
});
