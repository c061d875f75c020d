import { defineController } from "@typekube/controller";
import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { findingLines } from "../../src/testing/explore/report/text-report.js";
import {
  explore,
  type Finding,
  type OperatorContext,
  type Scenario,
} from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const sleep = ({ clock }: Pick<OperatorContext, "clock">, ms: number) =>
  new Promise<void>((resolve) => {
    clock.schedule(ms, resolve);
  });
const minute = 60_000;
const hour = 60 * minute;
const sources = ["a", "c"];

const steps: Scenario["steps"] = {
  "create a": (client) => maps(client).create({ metadata: { name: "a" } }),
  "create c": (client) => maps(client).create({ metadata: { name: "c" } }),
};

const copyOf = (name: string) => ({ metadata: { name: `copy-${name}` } });

/** Copies each source that lacks its copy. */
async function look({ client }: OperatorContext): Promise<void> {
  const names = (await maps(client).list()).items.map(({ metadata }) => metadata.name);
  for (const name of sources.filter((one) => names.includes(one))) {
    await maps(client).apply(copyOf(name), { fieldManager: "copies", force: true });
  }
}

/** Looks at its start, and from then on at times. */
const polling =
  (everyMs: number): Scenario["operator"] =>
  async (context) => {
    for (;;) {
      await look(context).catch(() => {});
      await sleep(context, everyMs);
    }
  };

/** Looks at times only, at its start not. */
const sleepingFirst =
  (everyMs: number): Scenario["operator"] =>
  async (context) => {
    await maps(context.client).list();
    for (;;) {
      await sleep(context, everyMs);
      await look(context).catch(() => {});
    }
  };

describe("CT7: an operator that looks rarely", () => {
  test.each([
    ["every five minutes", polling(5 * minute)],
    ["every hour", polling(hour)],
    ["every 20 hours", polling(20 * hour)],
    ["every hour, the first time after an hour", sleepingFirst(hour)],
  ])("%s passes without stableMs", async (_, operator) => {
    const found = await explore({ steps, operator }, { runs: 30 });
    expect(found.findings, found.text()).toEqual([]);
    // The reference ends after its look.
    expect(found.coverage.calls.map(({ call }) => call)).toContain(
      "patch configmaps default/copy-a",
    );
  });

  test("passes when it handles one of several objects at each look", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const create: Scenario["steps"][string] = async (client) => {
      for (const name of names) {
        await maps(client).create({ metadata: { name } });
      }
    };
    const operator: Scenario["operator"] = async (context) => {
      const { client } = context;
      for (let turn = 0; ; turn++) {
        const name = names[turn % names.length] as string;
        const one = maps(client);
        await one
          .find(name)
          .then(
            (source) => source && one.apply(copyOf(name), { fieldManager: "copies", force: true }),
          )
          .catch(() => {});
        await sleep(context, turn < names.length ? 1_000 : 4 * minute);
      }
    };
    const found = await explore({ steps: { create }, operator }, { runs: 0, faults: ["refuse"] });
    expect(found.findings, found.text()).toEqual([]);
  });

  test("takes the state after a change that is due late, and tries the call that makes it", async () => {
    const expiring =
      (isTriedOnce: boolean): Scenario["operator"] =>
      async (context) => {
        const { client, clock } = context;
        for (let isDone = false; ; ) {
          const a = isDone
            ? undefined
            : await maps(client)
                .find("a")
                .catch(() => undefined);
          const ageMs = clock.now() - Date.parse(a?.metadata.creationTimestamp ?? "");
          if (ageMs >= hour) {
            isDone = isTriedOnce;
            await maps(client)
              .delete("a")
              .catch(() => {});
          }
          await sleep(context, ageMs < hour ? hour - ageMs : 5_000);
        }
      };
    const one = { "create a": steps["create a"] as NonNullable<Scenario["steps"][string]> };
    const right = await explore(
      { steps: one, operator: expiring(false) },
      { runs: 0, faults: ["jump", "refuse"] },
    );
    expect(right.findings, right.text()).toEqual([]);
    expect(right.coverage.notExplored.filter((text) => text.startsWith("rare looks"))).toEqual([]);
    const wrong = await explore(
      { steps: one, operator: expiring(true) },
      { runs: 0, faults: ["refuse"] },
    );
    expect(wrong.findings).toMatchObject([{ difference: ["+ ConfigMap default a"] }]);
  });

  test("passes when steps wait for its looks, without a word about runs that were played twice", async () => {
    const waiting =
      (name: string): Scenario["steps"][string] =>
      async (client) => {
        await maps(client).create({ metadata: { name } });
        const isThere = (found: unknown) => found !== undefined;
        await maps(client).waitFor(`copy-${name}`, isThere, {
          timeoutMs: Number.POSITIVE_INFINITY,
        });
      };
    const found = await explore(
      { steps: { a: waiting("a"), c: waiting("c") }, operator: polling(hour) },
      { runs: 0, faults: ["lose"] },
    );
    expect(found.findings, found.text()).toEqual([]);
    expect(found.coverage.notExplored.join()).not.toContain("a second run did not show");
  });

  test("passes when controllers resync their objects once an hour, one after the other", async () => {
    const operator = () =>
      defineController(
        { kind: ConfigMap, labelSelector: "app=shop" },
        {
          resyncMs: hour,
          async reconcile({ metadata }, run) {
            await run.apply(ConfigMap, { metadata: { name: `copy-${metadata.name}` } });
          },
        },
      );
    const labels = { app: "shop" };
    const create = (name: string) => (client: OperatorContext["client"]) =>
      maps(client).create({ metadata: { name, labels } });
    const deletion = (client: OperatorContext["client"]) => maps(client).delete("copy-c");
    const found = await explore(
      { operator, steps: { a: create("a"), c: create("c"), "delete a copy": deletion } },
      { runs: 30 },
    );
    expect(found.findings, found.text()).toEqual([]);
    expect(found.coverage.calls.filter(({ call }) => call.endsWith("copy-c")).length).toBe(2);
  });

  test("is a finding when its look does not help", async () => {
    const forgetful: Scenario["operator"] = async (context) => {
      const failed = new Set<string>();
      const { client } = context;
      for (;;) {
        const { items } = await maps(client).list();
        for (const { metadata } of items) {
          if (sources.includes(metadata.name) && !failed.has(metadata.name)) {
            await maps(client)
              .apply({ metadata: { name: `copy-${metadata.name}` } }, { fieldManager: "copies" })
              .catch(() => failed.add(metadata.name));
          }
        }
        await sleep(context, hour);
      }
    };
    const found = await explore({ steps, operator: forgetful }, { runs: 0, faults: ["refuse"] });
    expect(found.findings).toMatchObject([
      { kind: "another state", difference: ["- ConfigMap default copy-a"] },
      { kind: "another state", difference: ["- ConfigMap default copy-c"] },
    ]);
    for (const { replay, lines } of found.findings) {
      const again = await explore({ steps, operator: forgetful }, { replay });
      expect(again.findings).toMatchObject([{ lines }]);
      const fixed = await explore({ steps, operator: polling(hour) }, { replay });
      expect(fixed.findings, fixed.text()).toEqual([]);
    }
  });

  test.each<[string, Scenario["operator"], string]>([
    [
      "an age of an hour",
      async (context) => {
        const { client, clock } = context;
        for (;;) {
          const a = await maps(client)
            .find("a")
            .catch(() => undefined);
          const ageMs = clock.now() - Date.parse(a?.metadata.creationTimestamp ?? "");
          if (ageMs >= hour) {
            await maps(client)
              .delete("a")
              .catch(() => {});
          }
          await sleep(context, 4_000);
        }
      },
      "jump",
    ],
    [
      "its sixth look",
      async (context) => {
        const { client } = context;
        for (let looks = 1; ; looks++) {
          await look(context).catch(() => {});
          if (looks >= 6) {
            await maps(client)
              .apply({ metadata: { name: "report" } }, { fieldManager: "copies", force: true })
              .catch(() => {});
          }
          await sleep(context, hour);
        }
      },
      "refuse",
    ],
  ])(
    "that acts at %s gets a finding that points to stableMs, and none with it",
    async (_, operator, type) => {
      const one = { "create a": steps["create a"] as NonNullable<Scenario["steps"][string]> };
      const refused = [2, 4, 6, 8, 10].map((call) => ({ type: "refuse", call, status: 500 }));
      const jump = { type: "jump", call: 3, ms: hour };
      const replay = JSON.stringify({ steps: [1], faults: type === "jump" ? [jump] : refused });
      const options = { runs: 0, faults: [], known: [replay] };
      const { known } = await explore({ steps: one, operator }, options);
      const [finding] = known as [Finding];
      const { advice = "" } = finding;
      const [, stableMs = ""] = /stableMs: (\d+)/.exec(advice) ?? [];
      expect(advice).toMatch(
        /^without faults, the operator changes the world, too, \d+ s after the last step, when the run without faults was over: stableMs: \d+ lets it go on until then$/,
      );
      expect(findingLines(finding, 1)).toContain(`   ${advice}`);
      const longer = await explore(
        { steps: one, operator, stableMs: Number(stableMs) },
        { replay },
      );
      expect(longer.findings, longer.text()).toEqual([]);
    },
  );

  test("has no longer than withinMs, when that is given", async () => {
    const replay = '{"steps":[1],"faults":[{"type":"lose","call":2,"when":"before"}]}';
    const converged: Scenario["converged"] = (world) =>
      world.get(ConfigMap, "copy-a") !== undefined || "copy-a is missing";
    const one = { "create a": steps["create a"] as NonNullable<Scenario["steps"][string]> };
    const scenario: Scenario = { steps: one, converged, operator: sleepingFirst(5 * minute) };
    expect((await explore(scenario, { replay })).findings).toEqual([]);
    const late = await explore({ ...scenario, withinMs: 30_000 }, { runs: 0, faults: ["crash"] });
    expect(late.findings).toMatchObject([{ kind: "did not converge", faults: [] }]);
  });
});
