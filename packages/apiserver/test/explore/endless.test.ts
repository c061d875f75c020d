import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const sleep = ({ clock }: OperatorContext, ms: number) =>
  new Promise<void>((resolve) => {
    clock.schedule(ms, resolve);
  });
const steps: Scenario["steps"] = {
  "create a": (client) => maps(client).create({ metadata: { name: "a" } }),
};

/** Waits until its cache has the ConfigMap `a`, looking again after each `look`, and copies it then. */
const waiting = (look: (context: OperatorContext) => Promise<unknown>): Scenario => ({
  steps,
  operator: async (context) => {
    const { client } = context;
    const cache = client.informer(ConfigMap, { namespace: "default" });
    await cache.synced();
    while ((await maps(client).find("a")) === undefined) {
      await sleep(context, 100);
    }
    while (cache.get("default/a") === undefined) {
      await look(context);
    }
    await maps(client).apply({ metadata: { name: "b" } }, { fieldManager: "copies" });
    await new Promise(() => {});
  },
});

describe("CT7: an operator without an end", () => {
  test("is broken off when it fires timers while no time passes", async () => {
    const scenario: Scenario = {
      steps,
      operator: async ({ client, clock }) => {
        await maps(client).list();
        const again = () => {
          clock.schedule(0, again);
        };
        again();
        await new Promise(() => {});
      },
    };
    const found = await explore(scenario, { runs: 0, faults: [] });
    expect(found.findings).toMatchObject([
      {
        kind: "did not converge",
        message: "the operator fires more than 2000 timers in 0 ms, and no end",
        faults: [],
      },
    ]);
  });

  test("is broken off when timers of a part of a millisecond follow each other", async () => {
    const scenario: Scenario = {
      steps,
      operator: async (context) => {
        await maps(context.client).list();
        for (;;) {
          await sleep(context, 0.0001);
        }
      },
    };
    const found = await explore(scenario, { runs: 0, faults: [] });
    expect(found.findings[0]?.message).toContain("more than 2000 timers in 0 ms");
  });

  test("is said to read when it only reads, and to write when it writes", async () => {
    const reading: Scenario = {
      steps,
      operator: async ({ client }) => {
        for (;;) {
          await maps(client).find("a");
        }
      },
    };
    const writing: Scenario = {
      steps,
      operator: async ({ client }) => {
        for (let n = 0; ; n++) {
          await maps(client).find("a");
          await maps(client).apply({ metadata: { name: "n" }, data: { n: String(n) } });
        }
      },
    };
    const options = { runs: 0, faults: [] };
    expect((await explore(reading, options)).findings).toMatchObject([
      {
        kind: "did not converge",
        message: "the operator makes more than 2000 calls, the last 300 of them reads, and no end",
      },
    ]);
    expect((await explore(writing, options)).findings).toMatchObject([
      { kind: "endless writes", message: "the operator makes more than 2000 calls, and no end" },
    ]);
  });
});

describe("CT7: an operator that waits for its cache", () => {
  test.each([
    ["calls", ({ client }: OperatorContext) => maps(client).list()],
    ["timers of 0 ms", (context: OperatorContext) => sleep(context, 0)],
  ])("with %s gets the events that wait", async (_, look) => {
    const found = await explore(waiting(look), { runs: 20, faults: ["lag", "miss"] });
    expect(found.findings, found.text()).toEqual([]);
    expect(found.coverage.events.every(({ tried }) => tried === 7)).toBe(true);
  });
});

describe("CT7: after the last step", () => {
  /** Copies `a` into `b` five seconds later. */
  const later: Scenario = {
    steps,
    operator: async (context) => {
      const { client } = context;
      for await (const event of client.follow(ConfigMap, { namespace: "default" })) {
        const isThere = event.type === "initial" || event.type === "applied";
        if (isThere && event.object.metadata.name === "a") {
          await sleep(context, 5_000);
          await maps(client).apply({ metadata: { name: "b" } }, { fieldManager: "copies" });
        }
      }
    },
  };

  test("a process that would start after the next step starts at once", async () => {
    const found = await explore(later, { faults: ["crash"], runs: 0 });
    expect(found.findings, found.text()).toEqual([]);
    const [last = 0] = found.coverage.calls
      .map(({ call }, at) => (call.startsWith("patch configmaps") ? at + 1 : 0))
      .filter((at) => at > 0);
    expect(last).toBeGreaterThan(0);
    const fault = { type: "crash", call: last, when: "before", down: true };
    const again = await explore(later, { replay: JSON.stringify({ steps: [1], faults: [fault] }) });
    expect(again.findings, again.text()).toEqual([]);
  });

  test("events that would wait through the next step wait only until nothing else happens", async () => {
    const scenario: Scenario = {
      steps,
      operator: async (context) => {
        const { client } = context;
        const events = maps(client).watch();
        await sleep(context, 5_000);
        await maps(client).apply({ metadata: { name: "b" } }, { fieldManager: "copies" });
        for await (const { type, object } of events) {
          if (type === "ADDED" && object.metadata.name === "b") {
            await maps(client).apply({ metadata: { name: "c" } }, { fieldManager: "copies" });
          }
        }
      },
    };
    const long = ["lag", "miss"].flatMap((type) =>
      [1, 2, 3].map((event) => ({ type, resource: "configmaps", event, long: true })),
    );
    for (const fault of long) {
      const replay = JSON.stringify({ steps: [1], faults: [fault] });
      const { findings, text } = await explore(scenario, { replay });
      expect(findings, text()).toEqual([]);
    }
  });
});

describe("CT7: a clock that was set back", () => {
  test("is right again after a while, so that a poller goes on; the run shows it", async () => {
    const ttlMs = 1_200;
    const scenario: Scenario = {
      steps: {
        ...steps,
        "create another": (client) => maps(client).create({ metadata: { name: "b" } }),
      },
      operator: async (context) => {
        const { client, clock } = context;
        let names: readonly string[] = [];
        const copied = new Set<string>(["kube-root-ca.crt"]);
        for (let readAt = Number.NEGATIVE_INFINITY; ; await sleep(context, 900)) {
          if (clock.now() - readAt > ttlMs) {
            names = (await maps(client).list()).items.map(({ metadata }) => metadata.name);
            readAt = clock.now();
          }
          for (const name of names.filter((one) => one.length === 1 && !copied.has(one))) {
            copied.add(name);
            const copy = { metadata: { name: `copy-${name}` } };
            await maps(client).apply(copy, { fieldManager: "copies" });
          }
        }
      },
    };
    const { coverage } = await explore(scenario, { runs: 0, faults: [] });
    const at = coverage.calls.findIndex(({ call }) => call.endsWith("copy-a")) + 1;
    const replay = JSON.stringify({
      steps: [1, 2],
      faults: [{ type: "jump", call: at, ms: -3_600_000 }],
    });
    const found = await explore(scenario, { replay });
    expect(found.findings, found.text()).toEqual([]);
    const wrong = { ...scenario, converged: () => "never", withinMs: 20_000 };
    const [finding] = (await explore(wrong, { replay })).findings;
    const lines = finding?.lines.map(({ who, what }) => `${who}: ${what}`);
    expect(lines).toContain("fault: the clock of operator-1 is right again");
  });
});
