import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { defineController, startManager } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { gate, shopTest } from "../shop-test.js";

const idle = () => defineController(Shop, { reconcile() {} });
const silent = { log() {} };

test("CM1, CR21: no run begins before all caches of the controller are complete", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await client.resource(ConfigMap, "default").create({ metadata: { name: "c" } });
  let runs = 0;
  const controller = defineController(ConfigMap, {
    reads: [{ apiVersion: "v1", kind: "Secret" }],
    reconcile: () => void runs++,
  });
  api.fault({ resource: "secrets", status: 500, times: 3 });
  const started = startManager(client, { controllers: [controller], ...silent });
  await api.settled();
  expect(runs).toBe(0);
  await api.clock.advance(30_000);
  await using _ = await started;
  await api.settled();
  expect(runs).toBeGreaterThan(0);
});

test("CM2: a start that fails stops what has started, and may be repeated", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  let runs = 0;
  const reconcile = () => void runs++;
  const controller = defineController(ConfigMap, { syncTimeoutMs: 100, reconcile });
  const fault = api.fault({ resource: "configmaps", status: 403, times: Infinity });
  const started = startManager(client, { controllers: [controller], ...silent });
  const refused = expect(started).rejects.toThrow(/cannot read v1\/ConfigMap/);
  await api.clock.advance(100);
  await refused;
  expect(api.openWatches).toBe(0);
  expect(api.clock.pending).toBe(0);
  fault.remove();
  await using manager = await startManager(client, { controllers: [controller], ...silent });
  await api.settled();
  expect(manager.busy).toEqual([]);
  expect(runs).toBeGreaterThan(0);
});

test("CM3: parts end before the runs, and the runs before the caches", async () => {
  const order: string[] = [];
  const controller = defineController(Shop, {
    async reconcile(_, run) {
      await new Promise<void>((resolve) =>
        run.signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      order.push(`run, ${run.list(Shop).length} cached`);
    },
  });
  const t = await shopTest(controller, {
    manager: {
      runnables: [
        {
          name: "part",
          run: ({ signal }) =>
            new Promise<void>((resolve) => {
              signal.addEventListener("abort", () => {
                order.push("part");
                resolve();
              });
            }),
        },
      ],
    },
  });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  await t.manager.stop();
  await t.manager.done;
  expect(order.sort()).toEqual(["part", "run, 1 cached"]);
  expect(t.api.openWatches).toBe(0);
  await t[Symbol.asyncDispose]();
});

test("CM4: runs that do not end in the grace period are named, and done rejects", async () => {
  const end = gate();
  const controller = defineController(Shop, { reconcile: () => end.passed });
  const t = await shopTest(controller, { manager: { graceMs: 5_000 } });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  const stopped = expect(t.manager.stop()).rejects.toThrow(/shop default\/tea since 5000 ms/);
  const done = expect(t.manager.done).rejects.toMatchObject({ code: "DeadlineExceeded" });
  await t.clock.advance(5_000);
  await stopped;
  await done;
  end.open();
  await t[Symbol.asyncDispose]();
});

test("CM5: SIGTERM stops the manager, and its handlers are removed afterwards", async () => {
  const before = process.listenerCount("SIGTERM");
  const t = await shopTest(idle(), { manager: { signals: true } });
  expect(process.listenerCount("SIGTERM")).toBe(before + 1);
  process.emit("SIGTERM");
  await t.manager.done;
  expect(process.listenerCount("SIGTERM")).toBe(before);
  await t[Symbol.asyncDispose]();
});

test("CM6: an aborted signal stops the manager, which leaves no timer, watch or listener", async () => {
  const abort = new AbortController();
  const listeners = process.listenerCount("unhandledRejection");
  const t = await shopTest(idle(), { manager: { signal: abort.signal } });
  await t.open("tea");
  abort.abort();
  await t.manager.done;
  expect(t.api.openWatches).toBe(0);
  expect(t.clock.pending).toBe(0);
  expect(process.listenerCount("unhandledRejection")).toBe(listeners);
  await t[Symbol.asyncDispose]();
});

test("CM7: a part that rejects ends the manager with its error; one that restarts does not", async () => {
  let starts = 0;
  await using t = await shopTest(idle(), {
    manager: {
      runnables: [
        {
          name: "restarting",
          onError: "restart",
          async run() {
            starts++;
            throw new Error("again");
          },
        },
      ],
    },
  });
  await t.advance(5_000);
  expect(starts).toBeGreaterThan(1);
  const fail = gate();
  t.manager.add({
    name: "failing",
    async run() {
      await fail.passed;
      throw new Error("broken part");
    },
  });
  const done = expect(t.manager.done).rejects.toThrow("broken part");
  fail.open();
  await done;
  expect(() => t.manager.add({ name: "late", run() {} })).toThrow(/cannot start late/);
});

test("CM14: a controller of another cluster reconciles there, under the cluster's name", async () => {
  await using other = await startApiServer({ clock: "virtual" });
  await using there = await other.client();
  const names: string[] = [];
  const configs = defineController(ConfigMap, {
    when: ({ metadata }) => metadata.namespace === "default",
    reconcile: ({ data }, run) => void (data?.["name"] && names.push(`${data["name"]} ${run.key}`)),
  });
  await using t = await shopTest([], {
    manager: { controllers: undefined } as never,
  });
  await using manager = await startManager(t.client, {
    controllers: [configs, { controller: configs, client: there, cluster: "east" }],
    ...silent,
  });
  const make = { metadata: { name: "c" } };
  await t.client.resource(ConfigMap, "default").create({ ...make, data: { name: "here" } });
  await there.resource(ConfigMap, "default").create({ ...make, data: { name: "there" } });
  await t.settled();
  await other.settled();
  expect(names.sort()).toEqual(["here default/c", "there default/c"]);
  expect(manager.controller("east/configmap").name).toBe("east/configmap");
  expect(() => manager.controller("west/configmap")).toThrow(/it has configmap, east\/configmap/);
});

test("CM16: a reconciler may stop its manager", async () => {
  const controller = defineController(Shop, {
    reconcile() {
      void t.manager.stop();
    },
  });
  const t = await shopTest(controller);
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.manager.done;
  await t[Symbol.asyncDispose]();
});

test("CR22: onUnavailable: wait starts without a source and reconciles once it can be read", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await client.resource(ConfigMap, "default").create({ metadata: { name: "c" } });
  let runs = 0;
  const controller = defineController(ConfigMap, {
    onUnavailable: "wait",
    reads: [{ apiVersion: "v1", kind: "Secret" }],
    reconcile: () => void runs++,
  });
  const fault = api.fault({ resource: "secrets", status: 403, times: Infinity });
  await using _ = await startManager(client, { controllers: [controller], ...silent });
  await api.settled();
  expect(runs).toBe(0);
  fault.remove();
  await api.clock.advance(60_000);
  await api.settled();
  expect(runs).toBeGreaterThan(0);
});

test("CR22: a stop while the caches fill ends the start with its reason, not with a timeout", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  api.fault({ resource: "configmaps", hang: true, times: Infinity });
  const abort = new AbortController();
  const controller = defineController(ConfigMap, { reconcile() {} });
  const started = startManager(client, {
    controllers: [controller],
    signal: abort.signal,
    ...silent,
  });
  const refused = expect(started).rejects.toMatchObject({
    code: "Aborted",
    message: expect.stringContaining("the manager stops"),
  });
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  await refused;
});

test("CR23: a controller whose definition goes away comes back with it, and others go on", async () => {
  const { shopDefinition } = await import("../shop.js");
  const configs = defineController(ConfigMap, { reconcile() {} });
  await using t = await shopTest([idle(), configs]);
  await t.open("tea");
  await t.client.deleteAll([shopDefinition]);
  await t.settled();
  await t.client.resource(ConfigMap, "default").create({ metadata: { name: "c" } });
  await t.settled();
  expect(t.runs("default/c").length).toBe(1);
  await t.api.load([shopDefinition]);
  await t.advance(60_000);
  await t.open("mate");
  await t.advance(60_000);
  expect(t.runs("default/mate").length).toBeGreaterThanOrEqual(1);
});

test("CR31: trigger and triggerAll queue keys, and several triggers cause one further run", async () => {
  const first = gate();
  const controller = defineController(Shop, {
    reconcile: () => (t.runs().length === 2 ? first.passed : undefined),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.open("mate");
  const handle = t.manager.controller("shop");
  handle.trigger("default/tea");
  handle.trigger({ namespace: "default", name: "tea" }, { priority: 5 });
  handle.trigger("default/tea");
  first.open();
  await t.settled();
  expect(t.runs("default/tea").length).toBe(3);
  handle.triggerAll();
  await t.settled();
  expect(t.runs("default/mate").length).toBe(2);
  expect(() => handle.trigger({} as never)).toThrow(/a key must be text or have a name/);
});

test("CR32, CQ22: a resync reconciles every object once, spread over its period", async () => {
  const controller = defineController(Shop, { resyncMs: 100_000, reconcile() {} });
  await using t = await shopTest(controller);
  for (let n = 0; n < 10; n++) {
    await t.open(`s${n}`);
  }
  await t.advance(100_000);
  const before = t.runs().length;
  await t.advance(50_000);
  expect(t.runs().length - before).toBeGreaterThanOrEqual(4);
  expect(t.runs().length - before).toBeLessThanOrEqual(6);
  await t.advance(49_999);
  expect(t.runs().length - before).toBeLessThanOrEqual(10);
});

test("CR33: a paused object is left alone until it is not paused; its deletion is finalized", async () => {
  const seen: string[] = [];
  const controller = defineController(Shop, {
    reconcile: () => void seen.push("reconcile"),
    finalize: () => void seen.push("finalize"),
  });
  await using t = await shopTest(controller);
  const annotations = { "typekube.dev/paused": "true" };
  await t.open("tea", {}, { annotations, finalizers: ["example.com/shop"] });
  expect(seen).toEqual([]);
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  expect(seen).toEqual(["finalize"]);
  await t.open("mate", {}, { annotations });
  await t.change("mate", (draft) => {
    draft.metadata = { ...draft.metadata, annotations: {} };
  });
  expect(seen).toEqual(["finalize", "reconcile"]);
});

test("CR34: plan returns the writes of a run and stores nothing", async () => {
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(object, run) {
      if (object.spec?.image !== "planned") {
        return undefined;
      }
      await run.apply(ConfigMap, { metadata: { name: "c" }, data: { a: "1" } });
      return { status: { url: "x" } };
    },
  });
  await using t = await shopTest(controller, {
    before: async (client, api) => {
      const { shopDefinition } = await import("../shop.js");
      await api.load([shopDefinition]);
      await client.resource(Shop, "default").create({
        metadata: { name: "tea", annotations: { "typekube.dev/paused": "true" } },
        spec: { image: "planned" },
      });
    },
  });
  await using other = await startManager(t.client, {
    controllers: [
      defineController(Shop, {
        ...({} as object),
        name: "other",
        owns: [ConfigMap],
        pauseWhen: () => false,
        when: () => false,
        async reconcile(_, run) {
          await run.apply(ConfigMap, { metadata: { name: "c" }, data: { a: "1" } });
          return { status: { url: "x" } };
        },
      }),
    ],
    ...silent,
  });
  const writes = await other.controller("other").plan("default/tea");
  expect(writes.map(({ method, kind }) => `${method} ${kind}`)).toEqual([
    "PATCH v1/ConfigMap",
    "PATCH example.com/v1/Shop/status",
  ]);
  expect(await t.client.resource(ConfigMap, "default").find("c")).toBeUndefined();
  expect((await t.shop("tea"))?.status).toBeUndefined();
});

test("CR35: debounceMs runs that long after the first change, not after the last", async () => {
  const controller = defineController(Shop, { debounceMs: 200, reconcile() {} });
  await using t = await shopTest(controller);
  await t.open("tea");
  const start = t.clock.now();
  for (let n = 0; n < 20; n++) {
    await t.change("tea", (draft) => {
      draft.spec = { image: `${n}` };
    });
    await t.clock.advance(100);
  }
  const [, second] = t.runs("default/tea");
  expect((second?.endedAtMs ?? 0) - start).toBe(200);
  expect(t.runs("default/tea").length).toBeGreaterThanOrEqual(9);
});

test("CR36: a call of any client in a run has its field manager, user agent and signal", async () => {
  const seen: string[] = [];
  const controller = defineController(Shop, {
    async reconcile() {
      await t.client
        .resource(ConfigMap, "default")
        .apply({ metadata: { name: "c" }, data: { a: "1" } });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const child = await t.client.resource(ConfigMap, "default").get("c");
  seen.push(...(child.metadata.managedFields ?? []).map(({ manager }) => manager ?? ""));
  expect(seen).toEqual(["shop"]);
  const apply = t.api.requests.find(
    ({ verb, resource }) => verb === "patch" && resource === "configmaps",
  );
  expect(apply?.userAgent).toMatch(/\/shop$/);
});
