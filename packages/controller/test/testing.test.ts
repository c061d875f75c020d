import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { controllerTest, reconcileOnce } from "@typekube/apiserver/testing";
import { addControllerMatchers } from "@typekube/apiserver/vitest";
import { defineController, startManager } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop, shopDefinition } from "./shop.js";
import { gate } from "./shop-test.js";

addControllerMatchers();

const shops = defineController(Shop, {
  owns: [ConfigMap],
  watches: [{ kind: Secret, by: ({ spec }) => (spec?.credentials ? [spec.credentials] : []) }],
  retry: { jitter: 0 },
  async reconcile(shop, run) {
    if (shop.spec?.credentials && run.get(Secret, shop.spec.credentials) === undefined) {
      return run.notReady("WaitingForSecret");
    }
    await run.apply(ConfigMap, { metadata: { name: shop.metadata.name }, data: { a: "1" } });
    run.events.normal(shop, "Opened", "it is open");
    return { status: { url: "x" }, requeueAfterMs: 3_600_000 };
  },
});
const tea = (spec: Shop["spec"] = {}): Shop => ({
  metadata: { name: "tea", namespace: "prod" },
  spec,
});

test("CT1, CT2: a controller runs on an embedded server, on one virtual clock, until all is settled", async () => {
  await using t = await controllerTest(shops, { load: [shopDefinition] });
  await t.client
    .resource({ apiVersion: "v1", kind: "Namespace" })
    .create({ metadata: { name: "prod" } });
  await t.client.resource(Shop, "prod").create(tea({ credentials: "db" }));
  await t.settled();
  expect(t.runs("prod/tea").at(-1)?.outcome).toBe("notReady");
  await t.advance(3_600_000);
  await t.client.resource(Secret, "prod").create({ metadata: { name: "db" } });
  await t.settled();
  expect(t.runs("prod/tea").at(-1)).toMatchObject({
    outcome: "requeue",
    requeueAfterMs: 3_600_000,
  });
});

test("CT2: settled fails when a run does not end, and names it", async () => {
  const end = gate();
  const stuck = defineController(Shop, { reconcile: () => end.passed });
  await using t = await controllerTest(stuck, { load: [shopDefinition] });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await expect(t.settled({ timeoutMs: 50 })).rejects.toThrow(/shop reconciles default\/tea/);
  end.open();
});

test("CT3: 1,000 s of failures are 18 runs by 656 s", async () => {
  const failing = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {
      throw new Error("no");
    },
  });
  await using t = await controllerTest(failing, { load: [shopDefinition], manager: { log() {} } });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.settled();
  await t.advance(656_000);
  expect(t.runs().length).toBe(18);
});

test("CT4: reconcileOnce returns the result, the writes, the events and the status as data", async () => {
  const waiting = await reconcileOnce(shops, tea({ credentials: "db" }), { world: [namespace] });
  expect(waiting).toMatchObject({ outcome: "notReady", reason: "WaitingForSecret", writes: [] });
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "db", namespace: "prod" },
  };
  const run = () =>
    reconcileOnce(shops, tea({ credentials: "db" }), { world: [namespace, secret] });
  const result = await run();
  expect(result).toMatchObject({
    outcome: "requeue",
    requeueAfterMs: 3_600_000,
    status: { url: "x" },
    events: [{ type: "Normal", reason: "Opened", note: "it is open" }],
  });
  expect(result.writes.map(({ method, kind }) => `${method} ${kind}`)).toEqual([
    "PATCH v1/ConfigMap",
    "PATCH example.com/v1/Shop/status",
  ]);
  expect(await run()).toEqual(result);
});

const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "prod" } };

test("CT5: toStayQuiet passes for a controller at rest and fails for one that triggers itself", async () => {
  let count = 0;
  const restless = defineController(Shop, {
    name: "restless",
    ownEvents: "run",
    reconcile: () => ({ status: { ready: count++ }, requeueAfterMs: 60_000 }),
  });
  await using quiet = await controllerTest(shops, { load: [shopDefinition] });
  await quiet.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await expect(quiet).toStayQuiet({ atMost: 0 });
  await using t = await controllerTest(
    defineController(Shop, {
      name: "restless",
      reconcile: () => ({ status: { ready: count++ }, requeueAfterMs: 60_000 }),
    }),
    { load: [shopDefinition] },
  );
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await expect(expect(t).toStayQuiet({ atMost: 0 })).rejects.toThrow(/expected at most 0 writes/);
  expect(restless.name).toBe("restless");
});

test("CT8: two managers in one process elect a leader on one clock, and never run at once", async () => {
  const running = new Set<string>();
  const overlaps: string[] = [];
  const of = (replica: string) =>
    defineController(ConfigMap, {
      async reconcile(_, run) {
        if (running.size > 0 && !running.has(replica)) {
          overlaps.push(`${replica} ${run.key}`);
        }
        running.add(replica);
        await Promise.resolve();
        running.delete(replica);
      },
    });
  const leaderElection = { name: "operator", namespace: "default" };
  await using t = await controllerTest(of("a"), { manager: { leaderElection, log() {} } });
  await using other = await startManager(t.client, {
    controllers: [of("b")],
    leaderElection,
    log() {},
  });
  await t.settled();
  for (let n = 0; n < 20; n++) {
    await t.client.resource(ConfigMap, "default").create({ metadata: { name: `c${n}` } });
    if (n === 10) {
      void t.manager.stop();
    }
    await t.advance(1_000);
  }
  expect(overlaps).toEqual([]);
  expect(other.controller("configmap").snapshot().length).toBe(0);
});

test("CT12: a seed fixes names, uids and order: two tests have equal journals", async () => {
  const journal = async () => {
    await using t = await controllerTest(shops, { load: [shopDefinition] });
    for (const name of ["a", "b", "c"]) {
      await t.client.resource(Shop, "default").create({ metadata: { name } });
      await t.settled();
    }
    await t.advance(10_000);
    const { items } = await t.client.resource(Shop, "default").list();
    return [
      t.api.requests.map(({ verb, path, status }) => `${verb} ${path} ${status}`),
      items.map(({ metadata }) => metadata.uid),
      t.runs(),
    ];
  };
  const first = await journal();
  for (let n = 0; n < 5; n++) {
    expect(await journal()).toEqual(first);
  }
});
