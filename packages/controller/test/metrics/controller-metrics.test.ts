import { defineController, defineKeyController, terminal } from "@typekube/controller";
import { KubeError } from "@typekube/core";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { gate, type ShopTest, shopTest } from "../shop-test.js";
import { get, samplesOf } from "./metrics-test.js";

const metrics = { port: 0, host: "127.0.0.1" };

async function samples(t: ShopTest): Promise<Map<string, number>> {
  const { body } = await get(t.manager.ports.metrics, "/metrics");
  return samplesOf(body);
}

test("CM18, CM20: the families of controller-runtime are there with 0 before the first run", async () => {
  const controller = defineController(Shop, { concurrency: 3, reconcile() {} });
  await using t = await shopTest(controller, { manager: { metrics } });
  const all = await samples(t);
  const zeros = [
    ...["error", "requeue", "requeue_after", "success"].map(
      (result) => `controller_runtime_reconcile_total{controller="shop",result="${result}"}`,
    ),
    ...[
      "reconcile_errors",
      "terminal_reconcile_errors",
      "reconcile_panics",
      "reconcile_timeouts",
    ].map((name) => `controller_runtime_${name}_total{controller="shop"}`),
    'controller_runtime_active_workers{controller="shop"}',
    'controller_runtime_reconcile_time_seconds_count{controller="shop"}',
    'workqueue_depth{name="shop",controller="shop",priority="0"}',
    'workqueue_adds_total{name="shop",controller="shop"}',
    'workqueue_retries_total{name="shop",controller="shop"}',
    'workqueue_queue_duration_seconds_count{name="shop",controller="shop"}',
    'workqueue_work_duration_seconds_count{name="shop",controller="shop"}',
    'workqueue_unfinished_work_seconds{name="shop",controller="shop"}',
    'workqueue_longest_running_processor_seconds{name="shop",controller="shop"}',
    'typekube_own_echo_total{controller="shop"}',
    'typekube_paused_objects{controller="shop"}',
    'typekube_finalizer_stuck_objects{controller="shop"}',
    'typekube_events_dropped_total{controller="shop",reason="budget"}',
  ];
  expect(zeros.filter((name) => all.get(name) !== 0)).toEqual([]);
  expect(all.get('controller_runtime_max_concurrent_reconciles{controller="shop"}')).toBe(3);
});

test("CM18: runs count by their result; conflicts and terminal errors count once more", async () => {
  const outcomes: (() => unknown)[] = [
    () => undefined,
    () => ({ requeueAfterMs: 60_000 }),
    () => {
      throw new Error("no");
    },
    () => {
      throw new KubeError("Conflict", "somebody was faster");
    },
    () => {
      throw terminal("never");
    },
  ];
  const controller = defineController(Shop, {
    retry: { baseMs: 1e6 },
    reconcile: () => outcomes.shift()?.() as undefined,
  });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.open("tea");
  for (const image of ["1", "2", "3", "4"]) {
    await t.change("tea", (shop) => {
      shop.spec = { image };
    });
  }
  const all = await samples(t);
  const total = (result: string) =>
    all.get(`controller_runtime_reconcile_total{controller="shop",result="${result}"}`);
  expect([total("success"), total("requeue_after"), total("error"), total("requeue")]).toEqual([
    1, 1, 3, 0,
  ]);
  expect(all.get('controller_runtime_reconcile_errors_total{controller="shop"}')).toBe(3);
  expect(all.get('controller_runtime_terminal_reconcile_errors_total{controller="shop"}')).toBe(1);
  expect(all.get('typekube_reconcile_conflicts_total{controller="shop"}')).toBe(1);
  expect(all.get('controller_runtime_reconcile_time_seconds_count{controller="shop"}')).toBe(5);
});

test("CM19, CM20: durations are exact on a virtual clock, in controller-runtime's buckets", async () => {
  const hold = gate();
  const controller = defineController(Shop, { reconcile: () => hold.passed });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.client.resource(Shop, "default").create({ metadata: { name: "milk" } });
  await t.api.settled();
  await t.api.clock.advance(7_000);
  const during = await samples(t);
  const queue = '{name="shop",controller="shop"}';
  expect(during.get(`workqueue_unfinished_work_seconds${queue}`)).toBe(7);
  expect(during.get(`workqueue_longest_running_processor_seconds${queue}`)).toBe(7);
  expect(during.get('controller_runtime_active_workers{controller="shop"}')).toBe(1);
  expect(during.get('workqueue_depth{name="shop",controller="shop",priority="0"}')).toBe(1);
  hold.open();
  await t.settled();
  const after = await samples(t);
  expect(after.get(`workqueue_work_duration_seconds_sum${queue}`)).toBe(7);
  expect(after.get(`workqueue_queue_duration_seconds_sum${queue}`)).toBe(7);
  expect(after.get(`workqueue_adds_total${queue}`)).toBe(2);
  expect(after.get('workqueue_depth{name="shop",controller="shop",priority="0"}')).toBe(0);
  const bounds = (name: string) =>
    [...after.keys()]
      .filter((key) => key.startsWith(`${name}_bucket`))
      .map((key) => /le="([^"]+)"/.exec(key)?.[1]);
  expect(bounds("controller_runtime_reconcile_time_seconds").join(" ")).toBe(
    "0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 +Inf",
  );
  expect(bounds("workqueue_work_duration_seconds").map(Number)).toEqual([
    1e-8,
    1e-7,
    1e-6,
    1e-5,
    1e-4,
    1e-3,
    0.01,
    0.1,
    1,
    10,
    100,
    1000,
    Number.NaN,
  ]);
});

test("CM20: delayed adds count as retries, and the depth counts ready keys only", async () => {
  const controller = defineController(Shop, {
    reconcile: () => ({ requeueAfterMs: 60_000 }),
  });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.open("tea");
  const all = await samples(t);
  expect(all.get('workqueue_retries_total{name="shop",controller="shop"}')).toBe(1);
  expect(all.get('workqueue_depth{name="shop",controller="shop",priority="0"}')).toBe(0);
});

test("CM21: 1,000 priorities have at most 25 labels", async () => {
  const hold = gate();
  const controller = defineKeyController(Shop, { name: "shop", reconcileKey: () => hold.passed });
  await using t = await shopTest(controller, { manager: { metrics } });
  for (let n = 0; n < 1_000; n++) {
    t.manager.controller("shop").trigger(`default/s${n}`, { priority: n });
  }
  const depths = [...(await samples(t))].filter(([name]) => name.startsWith("workqueue_depth"));
  expect(depths.length).toBeLessThanOrEqual(25);
  expect(depths.reduce((sum, [, depth]) => sum + depth, 0)).toBe(999);
  hold.open();
});

test("CR18: a run that exceeds its time limit counts as a timeout", async () => {
  const controller = defineController(Shop, {
    timeoutMs: 1_000,
    retry: { baseMs: 1e6 },
    reconcile: (_, run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener("abort", () => reject(run.signal.reason));
      }),
  });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  await t.advance(1_000);
  const all = await samples(t);
  expect(all.get('controller_runtime_reconcile_timeouts_total{controller="shop"}')).toBe(1);
});

test("CR28: an own status write counts as an own echo", async () => {
  const controller = defineController(Shop, {
    reconcile: () => ({ status: { ready: 1 } }),
  });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.open("tea");
  expect((await samples(t)).get('typekube_own_echo_total{controller="shop"}')).toBe(1);
});

test("CR33: paused objects are counted", async () => {
  const controller = defineController(Shop, { reconcile() {} });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.open("tea", {}, { annotations: { "typekube.dev/paused": "true" } });
  await t.open("milk");
  expect((await samples(t)).get('typekube_paused_objects{controller="shop"}')).toBe(1);
});

test("CF10: an object whose finalizer fails for more than an hour is counted as stuck", async () => {
  const controller = defineController(Shop, {
    reconcile() {},
    finalize: () => Promise.reject(new Error("no")),
  });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.open("tea");
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  const stuck = async () =>
    (await samples(t)).get('typekube_finalizer_stuck_objects{controller="shop"}');
  expect(await stuck()).toBe(0);
  await t.advance(3_602_000);
  expect(await stuck()).toBe(1);
});

test("CE10: dropped events are counted by reason", async () => {
  const controller = defineController(Shop, {
    reconcile(shop, run) {
      for (let n = 0; n < 30; n++) {
        run.events.normal(shop, "Pulling", `${n}`, { separateNotes: true });
      }
    },
  });
  await using t = await shopTest(controller, { manager: { metrics } });
  await t.open("tea");
  const all = await samples(t);
  expect(all.get('typekube_events_dropped_total{controller="shop",reason="budget"}')).toBe(5);
});
