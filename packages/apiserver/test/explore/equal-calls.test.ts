import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { equalCalls } from "../../src/testing/explore/plan/equal-calls.js";
import type { Call } from "../../src/testing/explore/record/call.js";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const sleep = ({ clock }: Pick<OperatorContext, "clock">, ms: number) =>
  new Promise<void>((resolve) => {
    clock.schedule(ms, resolve);
  });
const steps: Scenario["steps"] = {
  "create a": (client) => maps(client).create({ metadata: { name: "a" } }),
};
const apply = (client: OperatorContext["client"], name: string) =>
  maps(client).apply({ metadata: { name } }, { fieldManager: "x", force: true });

/** Reads twice at each look, every 30 s, and writes once, after two hours. */
const twoTimers: Scenario["operator"] = async (context) => {
  const { client } = context;
  const looking = async () => {
    for (;;) {
      for (let reads = 0; reads < 2; reads++) {
        await maps(client)
          .find("a")
          .catch(() => {});
      }
      await sleep(context, 30_000);
    }
  };
  const writing = async () => {
    await sleep(context, 7_200_000);
    for (let isDone = false; !isDone; await sleep(context, 60_000)) {
      isDone = await apply(client, "b").then(
        () => true,
        () => false,
      );
    }
    await new Promise(() => {});
  };
  await Promise.all([looking(), writing()]);
};

const look = (call: number): Call => ({
  call,
  process: "operator-1",
  step: 1,
  atMs: call * 30_000,
  commits: 1,
  verb: "get",
  resource: "configmaps",
  name: "default/a",
  isWrite: false,
  isExternal: false,
  acceptsOldState: false,
});

describe("CT7: calls at rest that repeat another one", () => {
  test("get faults at the first ten and the last; the others are counted", async () => {
    const found = await explore({ steps, operator: twoTimers }, { runs: 0, faults: ["refuse"] });
    expect(found.findings, found.text()).toEqual([]);
    // Before and after the step, and after the write.
    expect(found.runs).toBeLessThan(80);
    expect(found.coverage.notExplored).toContainEqual(
      expect.stringMatching(
        /^faults at 4[56]\d calls that repeat another one at rest, with nothing written in between; the first ten of each and the last were tried: get configmaps default\/a \(4[56]\d\)$/,
      ),
    );
    const reads = found.coverage.calls.filter(({ call }) => call === "get configmaps default/a");
    expect(reads.length).toBeLessThan(40);
    // A run with faults is over before the last look of that without.
    expect(reads.slice(0, -2).every(({ tried }) => tried.length === 2)).toBe(true);
  });

  test("are different places of one look, when time passes between them", async () => {
    const operator: Scenario["operator"] = async (context) => {
      let isBroken = false;
      for (let look = 0; look < 41; look++) {
        for (let read = 1; read <= 6; read++) {
          await maps(context.client)
            .find("a")
            .catch(() => {
              isBroken ||= read === 5;
            });
          await sleep(context, 1_000);
        }
        await sleep(context, 30_000);
      }
      for (let isDone = false; !isDone; await sleep(context, 1_000)) {
        isDone = await apply(context.client, isBroken ? "wrong" : "b").then(
          () => true,
          () => false,
        );
      }
      await new Promise(() => {});
    };
    const found = await explore(
      { steps, operator, withinMs: 4_000_000, stableMs: 2_000_000 },
      { runs: 0, faults: ["refuse"], maxFindings: 1 },
    );
    expect(found.findings).toMatchObject([{ kind: "another state" }]);
  });

  test.each<[string, (at: number) => Partial<Call>, number[]]>([
    ["looks at rest", () => ({}), [11, 12, 13]],
    ["reads of one look, each at another place of the program", () => ({ atMs: 0 }), []],
    ["reads of different objects", (at) => ({ name: `default/${at}` }), []],
    ["reads after writes of others", (at) => ({ commits: at }), []],
    ["looks of different processes", (at) => ({ process: `operator-${at}` }), []],
    ["looks of different steps", (at) => ({ step: at }), []],
    ["writes", () => ({ isWrite: true }), []],
    ["reads of Leases", () => ({ resource: "leases" }), []],
    [
      "reads around a change outside of the cluster",
      (at) => (at === 3 ? { resource: "dns", isExternal: true, isWrite: true } : {}),
      [],
    ],
  ])("%s", (_, facts, expected) => {
    const calls = Array.from({ length: 14 }, (_, at) => ({ ...look(at + 1), ...facts(at + 1) }));
    expect([...equalCalls(calls).keys()]).toEqual(expected);
  });
});

describe("CT7: a `converged` that is false without faults", () => {
  const polling: Scenario["operator"] = async (context) => {
    for (;;) {
      await maps(context.client)
        .list()
        .catch(() => {});
      await sleep(context, 1_000);
    }
  };

  test.each<[string, () => unknown, string]>([
    ["false", () => false, "converged is false"],
    ["a text", () => "b is missing", "b is missing"],
  ])("is the only finding, with the time, for %s", async (_, converged, words) => {
    const found = await explore({ steps, operator: polling, converged });
    expect(found.findings).toMatchObject([
      {
        kind: "did not converge",
        message: `${words}, after the run without faults, at 612000 ms`,
        faults: [],
      },
    ]);
    expect(found.runs).toBeLessThan(10);
    expect(found.coverage.notExplored).toContain(
      "all faults: without any, the operator already does not converge",
    );
  });
});
