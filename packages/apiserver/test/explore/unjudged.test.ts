import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { explore, type OperatorContext, type Scenario } from "../../src/testing/index.js";

const maps = (client: OperatorContext["client"]) => client.resource(ConfigMap, "default");
const apply = (client: OperatorContext["client"], name: string) =>
  maps(client).apply({ metadata: { name } }, { fieldManager: "x", force: true });
const steps: Scenario["steps"] = {
  "create a": (client) => maps(client).create({ metadata: { name: "a" } }),
};

/** Copies `a` into `b` within a time after its first event; a write that fails is repeated after a longer time. */
const copying =
  (retryMs: number): Scenario["operator"] =>
  async ({ client, clock }) => {
    for await (const event of client.follow(ConfigMap, { namespace: "default" })) {
      if (event.type === "applied" && event.object.metadata.name === "a") {
        for (let isDone = false; !isDone; ) {
          isDone = await apply(client, "b").then(
            () => true,
            () => retryMs === Number.POSITIVE_INFINITY,
          );
          await new Promise<void>((resolve) => clock.schedule(isDone ? 1 : retryMs, resolve));
        }
      }
    }
  };
const waiting: Scenario["steps"] = {
  ...steps,
  "wait for b": async (client) => {
    await maps(client).waitFor("b", (found) => found !== undefined, { timeoutMs: 30_000 });
  },
};

describe("CT7: a step whose own time ends while a fault slows the operator", () => {
  test("is counted, with its error, and a replay that shows the run", async () => {
    const scenario = { steps: waiting, operator: copying(60_000) };
    const found = await explore(scenario, { runs: 0, faults: ["refuse"] });
    expect(found.findings, found.text()).toEqual([]);
    const [line = ""] = found.coverage.notExplored.filter((text) => text.includes("wait for b"));
    expect(line).toMatch(
      /^[23] runs that can't be judged, since a step failed only in them: wait for b: \[DeadlineExceeded\] .*; timeoutMs: Infinity shows whether the operator gets there; to see one: explore\(scenario, \{ replay: '.*' \}\)$/,
    );
    const [, replay] = /replay: '(.*)'/.exec(line) ?? [];
    await expect(explore(scenario, { replay })).rejects.toThrow(
      expect.objectContaining({
        code: "InvalidArgument",
        message: expect.stringMatching(
          /^\[InvalidArgument\] the run of the replay can't be judged, since a step failed: wait for b: [\s\S]*\n +1000 ms {2}user +step 1: create a\n[\s\S]*is refused with/,
        ),
      }),
    );
  });

  test("hides no operator that never gets there: the steps before it are judged without it", async () => {
    const scenario = { steps: waiting, operator: copying(Number.POSITIVE_INFINITY) };
    const found = await explore(scenario, { runs: 0, faults: ["refuse"] });
    expect(found.findings).toMatchObject([
      {
        kind: "another state",
        steps: ["create a"],
        faults: [{ type: "refuse" }],
        difference: ["- ConfigMap default b"],
      },
    ]);
  });
});

describe("CT7: a run that fails, and passes when it is repeated", () => {
  /** Writes the object, unless it forgets to after a request that failed. */
  const forgetting =
    (forgets: () => boolean): Scenario["operator"] =>
    async ({ client }) => {
      await maps(client)
        .list()
        .catch(() => {});
      let isDone = false;
      while (!isDone) {
        isDone = await apply(client, "b").then(
          () => true,
          () => forgets(),
        );
      }
      await new Promise(() => {});
    };

  test("is counted, with a replay, when the operator fails by chance", async () => {
    let failures = 0;
    // The first runs are repeated before the search.
    const operator = forgetting(() => {
      failures += 1;
      return failures === 12;
    });
    const found = await explore({ steps, operator }, { runs: 300, faults: ["refuse", "crash"] });
    expect(found.findings, found.text()).toEqual([]);
    expect(found.coverage.notExplored).toContainEqual(
      expect.stringMatching(
        /^1 run that failed, and passed when it was repeated: the operator differs from run to run, or was still loading code; the run: explore\(scenario, \{ replay: '.*' \}\)$/,
      ),
    );
  });

  test("does not occur while code is loaded: each kind of fault is rehearsed, so that reports are equal", async () => {
    const scenario = () => {
      let loading: Promise<unknown> | undefined;
      const operator: Scenario["operator"] = async ({ client, clock }) => {
        await maps(client).list();
        let isDone = false;
        while (!isDone) {
          isDone = await apply(client, "b").then(
            () => true,
            async () => {
              // Like an import that takes longer than turns of the event loop, the first time.
              loading ??= new Promise((resolve) => setTimeout(resolve, 10));
              await loading;
              await new Promise<void>((resolve) => clock.schedule(1_000, resolve));
              return false;
            },
          );
        }
        await new Promise(() => {});
      };
      return { steps, operator };
    };
    const cold = scenario();
    const texts: string[] = [];
    for (let again = 0; again < 2; again++) {
      texts.push((await explore(cold, { runs: 20, faults: ["refuse", "crash"] })).text());
    }
    expect(texts[0]).toMatch(/^0 findings/);
    expect(texts[0]).not.toContain("passed when it was repeated");
    expect(texts[1]).toBe(texts[0]);
  });
});
