import { ConfigMap } from "@typekube/api/core/v1";
import {
  type Controller,
  defineController,
  defineKeyController,
  terminal,
} from "@typekube/controller";
import { isConflict, KubeError } from "@typekube/core";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { gate, shopTest } from "../shop-test.js";

test("CR1: changes during a run cause one further run, which sees the last state", async () => {
  const seen: (string | undefined)[] = [];
  const first = gate();
  const controller = defineController(Shop, {
    async reconcile({ spec }) {
      seen.push(spec?.image);
      if (seen.length === 1) {
        await first.passed;
      }
    },
  });
  await using t = await shopTest(controller);
  await t.client
    .resource(Shop, "default")
    .create({ metadata: { name: "tea" }, spec: { image: "1" } });
  await t.api.settled();
  for (const image of ["2", "3", "4"]) {
    await t.client.resource(Shop, "default").modify("tea", (draft) => {
      draft.spec = { image };
    });
  }
  await t.api.settled();
  first.open();
  await t.settled();
  expect(seen).toEqual(["1", "4"]);
});

test("CR2: a controller has one run at once, no limit of time, and 2 minutes to fill its caches", () => {
  const { settings } = defineController(Shop, { reconcile() {} });
  expect(settings.concurrency).toBe(1);
  expect(settings.timeoutMs).toBe(Number.POSITIVE_INFINITY);
  expect(settings.syncTimeoutMs).toBe(120_000);
});

test("CR3: concurrency 4 has four runs at once, and never two of one key", async () => {
  const running = new Map<string, number>();
  let most = 0;
  const end = gate();
  const controller = defineController(Shop, {
    concurrency: 4,
    async reconcile(_, { key }) {
      const ofKey = (running.get(key) ?? 0) + 1;
      expect(ofKey).toBe(1);
      running.set(key, ofKey);
      most = Math.max(most, running.size);
      await end.passed;
      running.delete(key);
    },
  });
  await using t = await shopTest(controller);
  const shops = t.client.resource(Shop, "default");
  for (let n = 0; n < 8; n++) {
    await shops.create({ metadata: { name: `s${n}` } });
  }
  await t.api.settled();
  t.manager.controller("shop").trigger("default/s0");
  expect(running.size).toBe(4);
  end.open();
  await t.settled();
  expect(most).toBe(4);
  expect(t.runs().length).toBe(9);
});

test("CR4: a new concurrency takes effect at once and interrupts no run", async () => {
  const end = gate();
  let running = 0;
  const controller = defineController(Shop, {
    async reconcile() {
      running++;
      await end.passed;
      running--;
    },
  });
  await using t = await shopTest(controller);
  const shops = t.client.resource(Shop, "default");
  for (let n = 0; n < 10; n++) {
    await shops.create({ metadata: { name: `s${n}` } });
  }
  await t.api.settled();
  const handle = t.manager.controller("shop");
  expect(running).toBe(1);
  handle.concurrency = 8;
  expect(running).toBe(8);
  handle.concurrency = 2;
  expect(running).toBe(8);
  expect(() => {
    handle.concurrency = 0;
  }).toThrow(/concurrency: must be an integer of at least 1/);
  end.open();
  await t.settled();
  expect(t.runs().length).toBe(10);
});

test("CR5: an object that vanished before its run is not reconciled; a key is", async () => {
  const objects: string[] = [];
  const keys: string[] = [];
  const one = defineController(Shop, {
    reconcile: ({ metadata }) => void objects.push(metadata.name),
  });
  const other = defineKeyController(Shop, {
    name: "keys",
    reconcileKey: (key, run) => void keys.push(`${key} ${run.get(Shop, key)?.metadata.name}`),
  });
  await using t = await shopTest([one, other]);
  await t.open("tea");
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  expect(objects).toEqual(["tea"]);
  expect(keys).toEqual(["default/tea tea", "default/tea undefined"]);
  expect(t.runs().every(({ outcome }) => outcome === "success")).toBe(true);
});

test("CR6: a run that returns nothing is over until something changes", async () => {
  await using t = await shopTest(defineController(Shop, { reconcile() {} }));
  await t.open("tea");
  await t.advance(86_400_000);
  expect(t.runs("default/tea").length).toBe(1);
});

test("CR7: requeueAfterMs runs again by then, and 0 does not", async () => {
  let after: number | undefined = 60_000;
  const controller = defineController(Shop, { reconcile: () => ({ requeueAfterMs: after }) });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(59_999);
  expect(t.runs("default/tea").length).toBe(1);
  after = 0;
  await t.advance(1);
  expect(t.runs("default/tea").length).toBe(2);
  await t.advance(3_600_000);
  expect(t.runs("default/tea").length).toBe(2);
});

test.each([
  ["NaN", Number.NaN],
  ["a negative number", -1],
  ["text", "5s"],
])("CR7, CR35: requeueAfterMs that is %s fails the run", async (_, requeueAfterMs) => {
  const controller = defineController(Shop, {
    retry: { maxAttempts: 1 },
    reconcile: () => ({ requeueAfterMs: requeueAfterMs as number }),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const [run] = t.runs("default/tea");
  expect(run?.outcome).toBe("failed");
  expect(run?.error).toMatchObject({ code: "InvalidArgument" });
  expect(run?.error?.message).toContain("requeueAfterMs");
});

test.each([
  ["a number", 3, /returned a number/],
  ["true", true, /returned a boolean/],
  ["null", null, /returned null/],
  ["an unknown property", { requeue: true }, /unknown property requeue/],
  ["a status that is no object", { status: "done" }, /status: must be an object/],
])("CR35: a reconciler that returns %s has failed", async (_, returned, message) => {
  const controller = defineController(Shop, {
    retry: { maxAttempts: 1 },
    reconcile: () => returned as never,
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const [run] = t.runs("default/tea");
  expect(run?.error).toMatchObject({ code: "InvalidArgument" });
  expect(run?.error?.message).toMatch(message);
});

test("CR8: a run that returns nothing cancels an earlier requeueAfterMs", async () => {
  let after: number | undefined = 60_000;
  const controller = defineController(Shop, { reconcile: () => ({ requeueAfterMs: after }) });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(10_000);
  after = undefined;
  await t.change("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  await t.advance(3_600_000);
  expect(t.runs("default/tea").length).toBe(2);
});

test("CR9, CQ14: a failed run is tried again after 5, 10, 20 ms ... up to 1,000 s", async () => {
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {
      throw new Error("no");
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(5_000_000);
  const doubling = Array.from({ length: 18 }, (_, n) => 5 * 2 ** n);
  expect(t.delays("tea").slice(0, 21)).toEqual([...doubling, 1_000_000, 1_000_000, 1_000_000]);
});

test("CR10: notReady waits with growing delays, without an error, a log line or an event", async () => {
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile: (_, run) => run.notReady("WaitingForSecret"),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(100);
  expect(t.delays("tea")).toEqual([5, 10, 20, 40]);
  expect(t.runs("default/tea")[0]).toMatchObject({
    outcome: "notReady",
    reason: "WaitingForSecret",
  });
  expect([...t.lines("error"), ...t.lines("warn")]).toEqual([]);
});

test("CR11: a terminal error is not tried again, also as the cause of another; the next change is", async () => {
  let error: Error = terminal("no image");
  const controller = defineController(Shop, {
    reconcile() {
      throw error;
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(3_600_000);
  expect(t.runs("default/tea").length).toBe(1);
  error = new Error("outer", { cause: terminal(new Error("inner")) });
  await t.change("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  await t.advance(3_600_000);
  expect(t.runs("default/tea").length).toBe(2);
});

test("CR12: after a terminal error the first delay is 5 ms again; one without a cause prints", async () => {
  let kind: "terminal" | "usual" = "usual";
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {
      throw kind === "terminal" ? terminal() : new Error("no");
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(600);
  kind = "terminal";
  await t.advance(2_000);
  kind = "usual";
  const before = t.runs("default/tea").length;
  await t.change("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  await t.advance(15);
  expect(t.delays("tea").slice(before)).toEqual([5, 10]);
  expect(t.lines("error").some((line) => line.includes("terminal"))).toBe(true);
  expect(String(terminal().message)).toContain("cannot succeed until the object changes");
});

test("CR13: a conflict is tried again without an error in the log", async () => {
  let tries = 0;
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {
      tries++;
      if (tries < 3) {
        throw new KubeError("Conflict", "the object was modified");
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(100);
  expect(t.delays("tea")).toEqual([5, 10]);
  expect(t.runs("default/tea").map(({ error }) => isConflict(error))).toEqual([true, true, false]);
  expect(t.lines("error")).toEqual([]);
  expect(t.lines("debug").filter((line) => line.includes("faster")).length).toBe(2);
});

test("CR14: after maxAttempts the key is left alone; a change is the last attempt again; a success resets", async () => {
  const given: string[] = [];
  const last: boolean[] = [];
  let fails = true;
  const controller = defineController(Shop, {
    retry: { jitter: 0, maxAttempts: 3 },
    reconcile(_, run) {
      last.push(run.isLastAttempt);
      if (fails) {
        throw new Error("no");
      }
    },
    onGiveUp: (object, error) => given.push(`${object?.metadata.name} ${(error as Error).message}`),
  });
  const image = (value: string) => (draft: Shop) => {
    draft.spec = { image: value };
  };
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(3_600_000);
  expect(last).toEqual([false, false, true]);
  expect(given).toEqual(["tea no"]);
  await t.change("tea", image("2"));
  await t.advance(3_600_000);
  expect(last).toEqual([false, false, true, true]);
  expect(given.length).toBe(1);
  fails = false;
  await t.change("tea", image("3"));
  fails = true;
  await t.change("tea", image("4"));
  await t.advance(3_600_000);
  expect(last.slice(4)).toEqual([true, false, false, true]);
  expect(given.length).toBe(2);
});

test("CR15: a run knows its attempt, its causes, its id, its controller and its object", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile(_, run) {
      seen.push([run.controller, run.key, run.name, run.namespace, run.attempt, run.isLastAttempt]);
      expect(run.reconcileId).toMatch(/^[0-9a-f-]{36}$/);
      expect(run.reconcileId).toBe(run.reconcileId);
      expect(run.signal.aborted).toBe(false);
      expect(run.client).toBe(t.client);
      run.log.info("hello", { answer: 42 });
      if (run.attempt < 2) {
        throw new Error("no");
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(10);
  expect(seen).toEqual([
    ["shop", "default/tea", "tea", "default", 1, false],
    ["shop", "default/tea", "tea", "default", 2, false],
  ]);
  const line = t.log.find(({ message }) => message === "hello");
  expect(line).toMatchObject({ controller: "shop", key: "default/tea", fields: { answer: 42 } });
});

test("CR16: the causes of a run are all that came together, at most 16", async () => {
  const causes: (readonly { type: string; object?: string | undefined }[])[] = [];
  const first = gate();
  const controller = defineController(Shop, {
    watches: [{ kind: ConfigMap, map: () => ["default/tea"] }],
    async reconcile(_, run) {
      causes.push(run.causes.forDebug);
      if (causes.length === 1) {
        await first.passed;
      }
    },
  });
  await using t = await shopTest(controller);
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  await t.client.resource(ConfigMap, "default").create({ metadata: { name: "c" } });
  await t.client.resource(Shop, "default").modify("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  await t.api.settled();
  for (let n = 0; n < 20; n++) {
    t.manager.controller("shop").trigger("default/tea");
  }
  first.open();
  await t.settled();
  const [, second = []] = causes;
  expect(second.length).toBe(16);
  expect(second[0]).toEqual({ type: "trigger" });
  await t.change("tea", (draft) => {
    draft.spec = { image: "3" };
  });
  expect(causes.at(-1)).toEqual([{ type: "update", object: "example.com/v1/Shop default/tea" }]);
});

test("CR17: a promise that a reconciler did not await ends no process and is reported once", async () => {
  const errors: Error[] = [];
  const controller = defineController(Shop, {
    reconcile() {
      void Promise.reject(new Error("left behind"));
    },
  });
  await using t = await shopTest(controller, {
    manager: { onError: (error) => errors.push(error) },
  });
  await t.open("tea");
  await expect.poll(() => errors.length).toBe(1);
  expect(errors[0]?.message).toContain("left behind");
  expect(t.log.find(({ level }) => level === "error")).toMatchObject({ controller: "shop" });
});

test("CR18: a run over its time is aborted and counts until it settles; its key never runs twice", async () => {
  const end = gate();
  let signal: AbortSignal | undefined;
  let runs = 0;
  const controller = defineController(Shop, {
    timeoutMs: 30_000,
    async reconcile(_, run) {
      runs++;
      signal = run.signal;
      await end.passed;
    },
  });
  await using t = await shopTest(controller);
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.client.resource(Shop, "default").create({ metadata: { name: "mate" } });
  await t.api.settled();
  await t.api.clock.advance(30_000);
  expect(signal?.aborted).toBe(true);
  expect(String(signal?.reason)).toContain("reconcile timeout");
  t.manager.controller("shop").trigger("default/tea");
  await t.api.settled();
  expect(runs).toBe(1);
  end.open();
  await t.settled();
  expect(runs).toBe(3);
});

test("CR19: abandonAfterMs frees the slot of a stuck run, and its key stays blocked", async () => {
  const end = gate();
  const seen: string[] = [];
  const controller = defineController(Shop, {
    timeoutMs: 1_000,
    abandonAfterMs: 5_000,
    async reconcile(_, run) {
      seen.push(run.name);
      if (run.name === "stuck") {
        await end.passed;
      }
    },
  });
  await using t = await shopTest(controller);
  await t.client.resource(Shop, "default").create({ metadata: { name: "stuck" } });
  await t.api.settled();
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  await t.api.clock.advance(5_999);
  expect(seen).toEqual(["stuck"]);
  await t.api.clock.advance(1);
  t.manager.controller("shop").trigger("default/stuck");
  await t.api.settled();
  expect(seen).toEqual(["stuck", "tea"]);
  expect(t.lines("error").join()).toContain("stuck reconcile");
  end.open();
  await t.settled();
  expect(seen).toEqual(["stuck", "tea", "stuck"]);
});

test("CR20: a run that waits for a response when the manager stops is no failure", async () => {
  const errors: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [ConfigMap],
    async reconcile(_, run) {
      try {
        await run.live.get(ConfigMap, "missing");
      } catch (error) {
        errors.push(error);
        throw error;
      }
    },
  });
  const t = await shopTest(controller);
  t.api.fault({ verb: "get", resource: "configmaps", hang: true });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await expect.poll(() => t.manager.controller("shop").running.length).toBe(1);
  await t.manager.stop();
  await t.manager.done;
  expect(String(errors[0])).toContain("the manager stops");
  expect(t.runs().length).toBe(0);
  expect([...t.lines("error"), ...t.lines("warn")]).toEqual([]);
  await t[Symbol.asyncDispose]();
});

test("CR24: two controllers of one name, or one twice, are refused before anything starts", async () => {
  const controller = defineController(Shop, { reconcile() {} });
  const other = defineController(ConfigMap, { name: "shop", reconcile() {} });
  await expect(shopTest([controller, other])).rejects.toMatchObject({
    code: "InvalidArgument",
    message: expect.stringContaining("two controllers have the name shop"),
  });
  await expect(shopTest([controller, controller])).rejects.toMatchObject({
    code: "InvalidArgument",
  });
});

test.each<[string, unknown]>([
  ["a number", 5],
  ["nothing", undefined],
  ["other settings", { settings: {} }],
  ["no settings", { name: "a", owns: [], watches: [], settings: null }],
])("CR24: %s instead of a controller is refused before anything starts", async (_, given) => {
  await expect(shopTest([given as Controller])).rejects.toMatchObject({
    code: "InvalidArgument",
    message: expect.stringContaining("controllers: not what defineController() returned"),
  });
});

test.each([
  ["undefined", undefined, "a reconciler threw undefined"],
  ["a string", "no", 'a reconciler threw "no"'],
  ["a frozen error", Object.freeze(new Error("frozen")), "frozen"],
])(
  "CR34: a reconciler that throws %s has failed once and is tried again",
  async (_, thrown, text) => {
    let tries = 0;
    const controller = defineController(Shop, {
      retry: { jitter: 0 },
      reconcile() {
        tries++;
        if (tries === 1) {
          throw thrown;
        }
      },
    });
    await using t = await shopTest(controller);
    await t.open("tea");
    await t.advance(5);
    expect(t.runs("default/tea").map(({ outcome }) => outcome)).toEqual(["failed", "success"]);
    expect(t.runs("default/tea")[0]?.error?.message).toContain(text);
  },
);

test("CR36: an unknown option, no reconcile and a value that is not a kind are refused at definition", () => {
  const define = defineController as (kind: unknown, options: unknown) => unknown;
  expect(() => define(Shop, { reconcile() {}, concurency: 2 })).toThrow(/concurency.*concurrency/s);
  expect(() => define(Shop, {})).toThrow(/no reconcile/);
  expect(() => define({}, { reconcile() {} })).toThrow(/not a kind/);
  expect(() => define(Shop, { reconcile() {}, owns: [{}] })).toThrow(/owns of .*not a kind/);
  expect(() => define(Shop, { reconcile() {}, name: "Shop Controller" })).toThrow(/DNS label/);
  expect(() => define(Shop, { reconcile() {}, watches: [{ kind: ConfigMap }] })).toThrow(
    /by or map/,
  );
  expect(() => define(Shop, { reconcile() {}, owns: [], watches: undefined })).not.toThrow();
});
