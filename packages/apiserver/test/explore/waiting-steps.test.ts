import { type FollowEvent, mergePatch } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import {
  explore,
  type OperatorContext,
  type Scenario,
  type World,
} from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const sleep = ({ clock }: Pick<OperatorContext, "clock">, ms: number) =>
  new Promise<void>((resolve) => {
    clock.schedule(ms, resolve);
  });
/** Waits without an end of their own. */
const forEver = { timeoutMs: Number.POSITIVE_INFINITY };
const copy = { metadata: { name: "b" } };

const isAbout = (event: FollowEvent<ConfigMap>, name: string) =>
  (event.type === "initial" || event.type === "applied") && event.object.metadata.name === name;

/** Copies `a` into `b` at its first event. It tries once. */
const giving: Scenario["operator"] = async ({ client }) => {
  for await (const event of client.follow(ConfigMap, { namespace: "default" })) {
    if (isAbout(event, "a")) {
      await maps(client)
        .apply(copy, { fieldManager: "copies" })
        .catch(() => {});
    }
  }
};
/** The same, and tries again until it succeeds. */
const trying: Scenario["operator"] = async (context) => {
  const { client } = context;
  for await (const event of client.follow(ConfigMap, { namespace: "default" })) {
    for (let isDue = isAbout(event, "a"); isDue; ) {
      isDue = await maps(client)
        .apply(copy, { fieldManager: "copies" })
        .then(
          () => false,
          () => sleep(context, 1_000).then(() => true),
        );
    }
  }
};

const create = (client: OperatorContext["client"]) =>
  maps(client).create({ metadata: { name: "a" } });
const change = (client: OperatorContext["client"]) =>
  maps(client).patch("b", mergePatch({ data: { seen: "yes" } }));

/** Steps of which one waits for `b`, each in its way. */
const waits: Readonly<Record<string, Scenario["steps"][string]>> = {
  "a watch": async (client) => {
    await maps(client).waitFor("b", (found) => found !== undefined, forEver);
  },
  "requests in succession": async (client) => {
    while ((await maps(client).find("b")) === undefined) {
      // Looks again at once.
    }
  },
  "looks between two turns": async (_, world: World) => {
    while (world.get(ConfigMap, "b") === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  "looks in real time": async (_, world: World) => {
    while (world.get(ConfigMap, "b") === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  },
};

describe.each(Object.entries(waits))("CT7: a step that waits with %s", (_, wait) => {
  const steps = { "create a": create, "wait for b": wait as typeof create, "change b": change };

  test("shows an operator that never gets there", async () => {
    const found = await explore({ steps, operator: giving }, { runs: 0, faults: ["refuse"] });
    expect(found.findings).toMatchObject([
      {
        kind: "did not converge",
        message: 'the step "wait for b" waits for something that never happens',
        faults: [{ type: "refuse" }],
        steps: ["create a", "wait for b"],
      },
    ]);
    const { replay, lines } = found.findings[0] as (typeof found.findings)[0];
    const again = await explore({ steps, operator: giving }, { replay });
    expect(again.findings).toMatchObject([{ kind: "did not converge", lines }]);
    const fixed = await explore({ steps, operator: trying }, { replay });
    expect(fixed.findings, fixed.text()).toEqual([]);
  });

  test("passes with an operator that gets there", async () => {
    const found = await explore({ steps, operator: trying }, { runs: 40 });
    expect(found.findings, found.text()).toEqual([]);
  });
});

describe("CT7: a step that waits", () => {
  const steps: Scenario["steps"] = {
    "create a, and wait for b": async (client) => {
      await create(client);
      await maps(client).waitFor("b", (found) => found !== undefined, forEver);
    },
    "create c, and wait for d": async (client) => {
      await maps(client).create({ metadata: { name: "c" } });
      await maps(client).waitFor("d", (found) => found !== undefined, forEver);
    },
  };
  /** Copies `a` into `b`, and `c` into `d`, after events and once at its start. */
  const copies: Scenario["operator"] = async (context) => {
    const { client } = context;
    const cache = client.informer(ConfigMap, { namespace: "default" });
    let wake = () => {};
    let isDue = true;
    const due = () => {
      isDue = true;
      wake();
    };
    cache.onChange({ add: due, update: due, delete: due });
    await cache.synced();
    for (;;) {
      if (!isDue) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isDue = false;
      for (const [from, to] of [
        ["a", "b"],
        ["c", "d"],
      ]) {
        if (
          cache.get(`default/${from}`) !== undefined &&
          cache.get(`default/${to}`) === undefined
        ) {
          await maps(client)
            .apply({ metadata: { name: to } }, { fieldManager: "copies", force: true })
            .catch(() => sleep(context, 1_000).then(due));
        }
      }
    }
  };

  test("outlasts crashes, lags and lost events that would last through it", async () => {
    const found = await explore(
      { steps, operator: copies },
      { runs: 100, faults: ["crash", "lag", "miss", "cut", "refuse", "lose", "jump"] },
    );
    expect(found.findings, found.text()).toEqual([]);
    expect(found.coverage.notExplored.filter((what) => what.includes("a step failed"))).toEqual([]);
  });

  test("is left out when another step came before its end", async () => {
    const undo: Scenario["steps"] = {
      "create a, and wait for b": steps["create a, and wait for b"] as typeof create,
      "delete a": (client) => maps(client).delete("a"),
    };
    const found = await explore({ steps: undo, operator: copies }, { runs: 60 });
    expect(found.findings, found.text()).toEqual([]);
  });

  test("is left out when it throws, and the steps before it are judged without it", async () => {
    const throwing: Scenario["steps"] = { "create a": create, "change b": change };
    const found = await explore(
      { steps: throwing, operator: giving },
      { runs: 0, faults: ["refuse"] },
    );
    expect(found.findings).toMatchObject([{ kind: "another state", steps: ["create a"] }]);
    expect(found.coverage.notExplored).toContainEqual(
      expect.stringMatching(
        /^\d+ runs? that can't be judged, since a step failed only in .*: change b: \[NotFound\]/,
      ),
    );
  });

  test("waits for an operator that looks once an hour", async () => {
    const hourly: Scenario["operator"] = async (context) => {
      const { client } = context;
      for (;;) {
        await sleep(context, 3_600_000);
        const from = await maps(client)
          .find("a")
          .catch(() => undefined);
        if (from !== undefined) {
          await maps(client)
            .apply(copy, { fieldManager: "copies" })
            .catch(() => {});
        }
      }
    };
    const wait: Scenario["steps"] = {
      "create a, and wait for b": steps["create a, and wait for b"] as typeof create,
    };
    const found = await explore({ steps: wait, operator: hourly }, { runs: 20 });
    expect(found.findings, found.text()).toEqual([]);
  });
});
