import { Lease } from "typekube/api/coordination/v1";
import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

class Prices {
  readonly prices: Record<string, number> = { tea: 3 };
  async get(name: string) {
    return this.prices[name];
  }
  async set(name: string, price: number) {
    this.prices[name] = price;
  }
}
interface Systems {
  readonly [name: string]: object;
  readonly shop: Prices;
}
type Context = OperatorContext<Systems>;

const wait = ({ clock }: Context, ms: number) =>
  new Promise<void>((resolve) => clock.schedule(ms, resolve));

/** Takes the Lease when it is 20 s old, under a name of its own, and works from then on without another look at it. */
const leader =
  (
    work: (context: Context) => Promise<unknown>,
    nameOf: (context: Context) => string,
  ): Scenario<Systems>["operator"] =>
  async (context) => {
    const leases = context.client.resource(Lease, "default");
    const spec = { holderIdentity: nameOf(context), leaseDurationSeconds: 15 };
    const held = await leases.find("leader");
    if (held === undefined) {
      await leases.create({ metadata: { name: "leader" }, spec });
    } else if (held.spec?.holderIdentity !== spec.holderIdentity) {
      await wait(context, 20_000);
      await leases.update({ ...held, spec });
    }
    for (;;) {
      await work(context).catch(() => {});
      await wait(context, 5_000);
    }
  };

const scenarioOf = (operator: Scenario<Systems>["operator"]): Scenario<Systems> => ({
  steps: { "do nothing": () => {} },
  externals: { shop: () => new Prices() },
  operator,
  converged: () => true,
});
const pauses = { faults: ["pause"], runs: 0 } as const;

const names = new Map<string, string>();
/** Names that say nothing about their process. */
const pod = ({ identity }: Context) => {
  const name = names.get(identity) ?? `pod-${String.fromCharCode(97 + names.size)}_x`;
  names.set(identity, name);
  return name;
};
const copy = ({ client }: Context) =>
  client
    .resource(ConfigMap, "default")
    .apply({ metadata: { name: "a" } }, { fieldManager: "copies", force: true });

describe("CT7: after a lost leadership, a call of an external system is a write", () => {
  const named = ({ identity }: Context) => identity;

  test("when it changes the visible state", async () => {
    const priced = async (context: Context) => {
      const price = (await context.externals.shop.get("tea")) ?? 0;
      await context.externals.shop.set("tea", price + 1);
    };
    const found = await explore(scenarioOf(leader(priced, named)), pauses);
    expect(found.findings.map(({ kind }) => kind)).toEqual(["writes after leadership was lost"]);
    const again = await explore(scenarioOf(leader(priced, named)), {
      replay: found.findings[0]?.replay,
    });
    expect(again.findings[0]?.lines).toEqual(found.findings[0]?.lines);
  });

  test("and not when it only reads, or fails", async () => {
    const reads = async ({ externals }: Context) => externals.shop.get("tea");
    const found = await explore(scenarioOf(leader(reads, named)), pauses);
    expect(found.findings, found.text()).toEqual([]);
  });

  test("and not when the new leader writes while the old one reads", async () => {
    class SlowPrices extends Prices {
      override async get(name: string) {
        for (let turn = 0; turn < 3; turn++) {
          await Promise.resolve();
        }
        return this.prices[name];
      }
    }
    const both = async ({ externals, identity }: Context) =>
      identity === "operator-1" ? externals.shop.get("tea") : externals.shop.set("tea", Math.PI);
    const scenario = {
      ...scenarioOf(leader(both, named)),
      externals: { shop: () => new SlowPrices() },
    };
    const found = await explore(scenario, pauses);
    expect(found.findings, found.text()).toEqual([]);
  });
});

describe("CT7: the process that holds a Lease is the one that wrote its holder", () => {
  test("whatever the holder is called", async () => {
    const found = await explore(scenarioOf(leader(copy, pod)), pauses);
    expect(found.findings[0]).toMatchObject({
      kind: "writes after leadership was lost",
      message: expect.stringMatching(/^operator-1 writes while operator-2 holds the Lease$/),
    });
    expect(found.coverage.notExplored.filter((what) => what.includes("leadership"))).toEqual([]);
  });

  test("and a leader that looks first passes", async () => {
    const looking = async (context: Context) => {
      const held = await context.client.resource(Lease, "default").find("leader");
      if (held?.spec?.holderIdentity === pod(context)) {
        await copy(context);
      }
    };
    const found = await explore(scenarioOf(leader(looking, pod)), pauses);
    expect(found.findings, found.text()).toEqual([]);
  });

  test("and two processes of the same name can't be told apart", async () => {
    const taking = leader(copy, () => "the operator");
    const operator: Scenario<Systems>["operator"] = async (context) => {
      const leases = context.client.resource(Lease, "default");
      const held = await leases.find("leader");
      if (held !== undefined) {
        await leases.update({ ...held, metadata: { ...held.metadata, labels: { again: "yes" } } });
      }
      await taking(context);
    };
    const found = await explore(scenarioOf(operator), pauses);
    expect(found.findings, found.text()).toEqual([]);
    expect(found.coverage.notExplored).toContainEqual(
      "writes after a lost leadership: two processes hold the Lease default/leader with the same identity; context.identity is different in each",
    );
  });
});
