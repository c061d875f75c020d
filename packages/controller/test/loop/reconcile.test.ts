import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { defineController, generationChanged, terminal } from "@typekube/controller";
import { expect, test } from "vitest";
import { startWorld } from "../manager-helper.js";
import { Shop } from "../shop.js";

const shop = (name: string, spec: Shop["spec"] = {}) => ({ metadata: { name }, spec });

test("CR1: changes during a run cause one further run, which sees the last state", async () => {
  const seen: string[] = [];
  let release = () => {};
  const controller = defineController(Shop, {
    async reconcile(object) {
      seen.push(object.spec?.image ?? "");
      if (seen.length === 1) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
    },
  });
  await using world = await startWorld([controller]);
  const shops = world.client.resource(Shop, "default");
  await shops.create(shop("tea", { image: "tea:1" }));
  await world.settled();
  for (const image of ["tea:2", "tea:3", "tea:4"]) {
    await shops.modify("tea", (draft) => {
      draft.spec = { image };
    });
  }
  await world.settled();
  release();
  await world.settled();
  expect(seen).toEqual(["tea:1", "tea:4"]);
});

test("CR9, CQ14: failed runs are tried again after 5, 10, 20 ms ...", async () => {
  const times: number[] = [];
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile() {
      times.push(world.api.clock.now());
      throw new Error("no");
    },
  });
  await using world = await startWorld([controller]);
  await world.client.resource(Shop, "default").create(shop("tea"));
  await world.settled();
  await world.advance(1_000);
  const delays = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320]);
});

test("an operator applies children, writes its status, and its own writes cause no run", async () => {
  const runs: string[] = [];
  const controller = defineController(Shop, {
    owns: [Deployment, ConfigMap],
    watches: [
      { kind: Secret, by: (object) => (object.spec?.credentials ? [object.spec.credentials] : []) },
    ],
    when: generationChanged,
    async reconcile(object, run) {
      runs.push(run.key);
      if (object.spec?.credentials && run.get(Secret, object.spec.credentials) === undefined) {
        return run.notReady("WaitingForSecret");
      }
      const labels = { app: object.metadata.name };
      const web = await run.apply(Deployment, {
        metadata: { name: object.metadata.name },
        spec: {
          replicas: object.spec?.replicas ?? 1,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "web", image: object.spec?.image ?? "x" }] },
          },
        },
      });
      if (object.spec?.host) {
        await run.apply(ConfigMap, {
          metadata: { name: `${object.metadata.name}-host` },
          data: { host: object.spec.host },
        });
      }
      return {
        status: { url: `https://${object.spec?.host}`, ready: web.status?.readyReplicas ?? 0 },
      };
    },
  });
  await using world = await startWorld([controller]);
  const { client } = world;
  const shops = client.resource(Shop, "default");
  await shops.create(shop("tea", { image: "tea:1", host: "tea.example.com" }));
  await world.settled();
  await world.advance(60_000);
  expect(runs).toEqual(["default/tea"]);
  expect((await shops.get("tea")).status?.url).toBe("https://tea.example.com");
  const web = await client.resource(Deployment, "default").get("tea");
  expect(web.metadata.ownerReferences?.[0]).toMatchObject({ kind: "Shop", controller: true });
  await shops.modify("tea", (draft) => {
    draft.spec = { image: "tea:2" };
  });
  await world.settled();
  await world.advance(60_000);
  expect(runs.length).toBe(2);
  expect(await client.resource(ConfigMap, "default").find("tea-host")).toBeUndefined();
  await shops.modify("tea", (draft) => {
    draft.spec = { image: "tea:2", credentials: "db" };
  });
  await world.settled();
  await world.advance(1_000);
  const before = runs.length;
  expect(before).toBeGreaterThan(5);
  await client.resource(Secret, "default").create({ metadata: { name: "db" } });
  await world.settled();
  await world.advance(60_000);
  expect(runs.length).toBe(before + 1);
});

test("CF1, CF4: an object with finalize gets the finalizer first, and loses it when it is cleaned up", async () => {
  const steps: string[] = [];
  const controller = defineController(Shop, {
    reconcile(object) {
      steps.push(`reconcile with ${object.metadata.finalizers?.join()}`);
    },
    finalize() {
      steps.push("finalize");
    },
  });
  await using world = await startWorld([controller]);
  const shops = world.client.resource(Shop, "default");
  await shops.create(shop("tea"));
  await world.settled();
  await shops.delete("tea");
  await world.settled();
  await world.advance(60_000);
  expect(steps).toEqual(["reconcile with example.com/shop", "finalize"]);
  expect(await shops.find("tea")).toBeUndefined();
});

test("CR11: a terminal error is not tried again until the object changes", async () => {
  let runs = 0;
  const controller = defineController(Shop, {
    reconcile() {
      runs++;
      throw terminal("no image");
    },
  });
  await using world = await startWorld([controller]);
  const shops = world.client.resource(Shop, "default");
  await shops.create(shop("tea"));
  await world.settled();
  await world.advance(3_600_000);
  expect(runs).toBe(1);
  await shops.modify("tea", (draft) => {
    draft.spec = { image: "x" };
  });
  await world.settled();
  expect(runs).toBe(2);
});
