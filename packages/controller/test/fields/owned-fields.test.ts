import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { defineController, keepFields, type Run } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { type ShopTest, shopTest } from "../shop-test.js";

const noConfigFields = keepFields(ConfigMap, []);

type ConfigsRun = Run<Shop, typeof noConfigFields | typeof Shop>;

const writes = (t: ShopTest, resource: string) =>
  t.api.requests.filter((one) => one.verb === "patch" && one.resource === resource).length;

const containers = (image: string) => [
  { name: "main", image, env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] },
];

const deployment = (image: string) => ({
  metadata: { name: "web", labels: { app: "web" } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: containers(image) } },
  },
});

test.each([
  ["none of the applied fields", ["status.readyReplicas"] as const],
  [
    "parts of the applied lists",
    ["status.readyReplicas", "spec.template.spec.containers.image"] as const,
  ],
  ["all applied fields", ["status.readyReplicas", "spec"] as const],
])(
  "fields: an owned Deployment of which the cache keeps %s is applied when it must be",
  async (_, fields) => {
    const webs = keepFields(Deployment, fields as readonly ["status.readyReplicas"]);
    const seen: unknown[] = [];
    const controller = defineController(Shop, {
      owns: [webs],
      async reconcile({ spec }, run) {
        const web = await run.apply(webs, deployment(spec?.image ?? ""));
        seen.push(web);
        return { status: { ready: web.status?.readyReplicas ?? 0 } };
      },
    });
    await using t = await shopTest(controller);
    await t.open("tea", { image: "web:1" });
    const all = t.client.resource(Deployment, "default");
    const runs = () => t.runs("default/tea").length;
    expect([runs(), writes(t, "deployments")]).toEqual([1, 1]);
    // A status that is not kept causes no run.
    const observed = { observedGeneration: 1, replicas: 2 };
    await all.status.patch("web", mergePatch({ status: observed }));
    await t.settled();
    expect(runs()).toBe(1);
    const before = writes(t, "deployments");
    // One that is kept does, and nothing is applied again.
    await all.status.patch("web", mergePatch({ status: { readyReplicas: 1 } }));
    await t.settled();
    expect([runs(), writes(t, "deployments") - before]).toEqual([2, 1]);
    expect((await t.shop("tea"))?.status?.ready).toBe(1);
    t.manager.controller("shop").trigger("default/tea");
    await t.settled();
    expect(writes(t, "deployments") - before).toBe(1);
    // A change of an applied field by others is undone.
    await all.patch("web", mergePatch({ spec: { replicas: 5 } }));
    await t.settled();
    expect((await all.get("web")).spec?.replicas).toBe(2);
    await all.patch("web", mergePatch({ metadata: { labels: { app: "other" } } }));
    await t.settled();
    expect((await all.get("web")).metadata.labels?.["app"]).toBe("web");
    const settled = runs();
    await t.change("tea", (draft) => {
      draft.spec = { image: "web:2" };
    });
    expect((await all.get("web")).spec?.template.spec?.containers[0]?.image).toBe("web:2");
    expect(runs()).toBe(settled + 1);
    for (const web of seen as { readonly spec?: unknown; readonly status?: object }[]) {
      const names = Object.keys(web).sort();
      expect(names.filter((name) => name === "spec").length).toBe(fields.length - 1);
      expect(Object.keys(web.status ?? {}).filter((name) => name !== "readyReplicas")).toEqual([]);
    }
    expect(t.lines("warn")).toEqual([]);
    expect(t.lines("error")).toEqual([]);
  },
);

test("fields: applied fields without a generation that are not kept are corrected by the next run, and reported once", async () => {
  const configs = keepFields(ConfigMap, []);
  const controller = defineController(Shop, {
    owns: [configs],
    async reconcile({ spec }, run) {
      for (const name of ["c", "d"]) {
        await run.apply(configs, { metadata: { name }, data: { image: spec?.image ?? "" } });
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "1" });
  expect([t.runs().length, writes(t, "configmaps")]).toEqual([1, 2]);
  expect(t.lines("warn")).toEqual([
    expect.stringMatching(/^run.apply of v1\/ConfigMap writes data, which its cache does not keep/),
  ]);
  const again = async () => {
    t.manager.controller("shop").trigger("default/tea");
    await t.settled();
  };
  await again();
  expect([t.runs().length, writes(t, "configmaps")]).toEqual([2, 2]);
  const all = t.client.resource(ConfigMap, "default");
  await all.patch("c", mergePatch({ data: { image: "9" } }));
  await t.settled();
  expect(t.runs().length).toBe(2);
  await again();
  expect((await all.get("c")).data).toEqual({ image: "1" });
  // The test's patch and one apply; the other object was not changed.
  expect([t.runs().length, writes(t, "configmaps")]).toEqual([3, 4]);
  await again();
  expect([t.runs().length, writes(t, "configmaps")]).toEqual([4, 4]);
});

test.each<[string, (run: ConfigsRun) => Promise<unknown>]>([
  ["patch", (run) => run.patch(noConfigFields, "c", mergePatch({ data: { image: "1" } }))],
  [
    "update",
    async (run) =>
      run.update(noConfigFields, (await run.live.get(noConfigFields, "c")) as ConfigMap),
  ],
])("fields: run.%s without a change makes no later change of others news", async (_, write) => {
  const controller = defineController(Shop, {
    watches: [{ kind: noConfigFields, map: () => ["default/tea"] }],
    async reconcile(__, run) {
      await write(run);
    },
  });
  await using t = await shopTest(controller);
  const all = t.client.resource(ConfigMap, "default");
  await all.create({ metadata: { name: "c" }, data: { image: "1" } });
  await t.open("tea");
  await t.settled();
  const runs = t.runs().length;
  const annotate = async (n: number) => {
    await all.patch("c", mergePatch({ metadata: { annotations: { n: String(n) } } }));
    await t.settled();
    return t.runs().length - runs;
  };
  expect([await annotate(1), await annotate(2), await annotate(3)]).toEqual([0, 0, 0]);
});

test("fields: an apply that changed nothing makes no later change of others news", async () => {
  const configs = keepFields(ConfigMap, []);
  const controller = defineController(Shop, {
    owns: [configs],
    async reconcile(_, run) {
      await run.apply(configs, { metadata: { name: "c" }, data: { image: "1" } });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const all = t.client.resource(ConfigMap, "default");
  const annotate = async (n: number) => {
    await all.patch("c", mergePatch({ metadata: { annotations: { n: String(n) } } }));
    await t.settled();
    return t.runs().length;
  };
  expect(await annotate(1)).toBe(1);
  t.manager.controller("shop").trigger("default/tea");
  await t.settled();
  expect([await annotate(2), await annotate(3), await annotate(4)]).toEqual([2, 2, 2]);
});

test("fields: with unchanged: deliver, fields that are not kept are corrected at once", async () => {
  const configs = keepFields(ConfigMap, ["metadata.labels"]);
  const controller = defineController(Shop, {
    owns: [{ kind: configs, unchanged: "deliver" }],
    async reconcile(_, run) {
      await run.apply(configs, { metadata: { name: "c" }, data: { image: "1" } });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(t.runs().length).toBe(1);
  const all = t.client.resource(ConfigMap, "default");
  await all.patch("c", mergePatch({ data: { image: "9" } }));
  await t.settled();
  expect((await all.get("c")).data).toEqual({ image: "1" });
  expect(t.runs().length).toBe(2);
  expect(t.lines("warn")).toEqual([]);
});

test("fields: owned objects that are not applied any more are pruned, and a lost one is applied again", async () => {
  const configs = keepFields(ConfigMap, ["data"]);
  const controller = defineController(Shop, {
    owns: [configs],
    async reconcile({ spec }, run) {
      for (const name of (spec?.host ?? "").split(",")) {
        await run.apply(configs, { metadata: { name }, data: { name } });
      }
      expect(run.list(configs, { ownedBy: true }).length).toBeGreaterThan(0);
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea", { host: "a,b" });
  const all = t.client.resource(ConfigMap, "default");
  const names = async () => (await all.list()).items.map(({ metadata }) => metadata.name);
  await t.change("tea", (draft) => {
    draft.spec = { host: "b" };
  });
  expect(await names()).toEqual(["b"]);
  await all.delete("b");
  await t.settled();
  expect(await names()).toEqual(["b"]);
  expect(t.lines("error")).toEqual([]);
});

test("fields: labels mark the owner of objects that it cannot own, also in a cache that keeps no labels", async () => {
  const spaces = keepFields(Namespace, ["status.phase"]);
  const errors: unknown[] = [];
  const define = (name: string, place: "owns" | "reads") =>
    defineController(Shop, {
      name,
      ...(place === "owns" ? { owns: [spaces] } : { reads: [spaces] }),
      async reconcile(shop, run) {
        if (shop.metadata.name === name) {
          try {
            await run.apply(spaces as never, { metadata: { name: "s" } } as never, {
              track: "label",
            });
          } catch (error) {
            errors.push(error);
          }
        }
      },
    });
  await using t = await shopTest([define("tea", "owns"), define("mate", "reads")]);
  await t.open("tea");
  const space = await t.client.resource(Namespace).get("s");
  expect(space.metadata.labels?.["typekube.dev/owner-uid"]).toBe(
    (await t.shop("tea"))?.metadata?.uid,
  );
  await t.open("mate");
  expect(errors).toEqual([
    expect.objectContaining({
      code: "AlreadyOwned",
      message: expect.stringContaining("Namespace s"),
    }),
  ]);
});

test("fields: reads show what a run has written, with the kept fields, before the watch does", async () => {
  const configs = keepFields(ConfigMap, ['data["a"]']);
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [configs],
    async reconcile(_, run) {
      await run.create(configs, { metadata: { name: "c" }, data: { a: "1", b: "1" } });
      seen.push(run.get(configs, "c")?.data);
      await run.patch(configs, "c", mergePatch({ data: { a: "2", b: "2" } }));
      seen.push(run.get(configs, "c")?.data);
      await run.createOrUpdate(configs, "c", (draft) => {
        draft.data = { ...draft.data, a: "3" };
      });
      seen.push(run.list(configs)[0]?.data);
      const whole = await run.live.get(configs, "c");
      seen.push(whole?.data);
      if (whole !== undefined) {
        await run.update(configs, { ...whole, data: { a: "4" } });
      }
      seen.push(run.get(configs, "c")?.data);
      await run.delete(configs, "c");
    },
  });
  await using t = await shopTest(controller);
  const hold = t.api.hold({ resource: "configmaps" });
  await t.client.resource(Shop, "default").create({ metadata: { name: "tea" } });
  await t.api.settled();
  hold.end();
  await t.settled();
  expect(seen).toEqual([{ a: "1" }, { a: "2" }, { a: "3" }, { a: "3", b: "2" }, { a: "4" }]);
  expect(t.runs().map(({ outcome }) => outcome)).toEqual(["success"]);
});

test("fields: a change of others that createOrUpdate wrote over before the watch showed it still causes a run", async () => {
  const configs = keepFields(ConfigMap, ['data["a"]']);
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    watches: [{ kind: configs, map: () => ["default/tea"] }],
    async reconcile(_, run) {
      seen.push(run.get(configs, "c")?.data?.a);
      if (seen.length === 2) {
        await run.createOrUpdate(configs, "c", (draft) => {
          draft.data = { ...draft.data, b: "ours" };
        });
      }
    },
  });
  await using t = await shopTest(controller, {
    before: (client) =>
      client
        .resource(ConfigMap, "default")
        .create({ metadata: { name: "c" }, data: { a: "before" } }),
  });
  await t.open("tea");
  expect(seen).toEqual(["before"]);
  const outages = (["list", "watch"] as const).map((verb) =>
    t.api.fault({ resource: "configmaps", verb, status: 503, times: Number.POSITIVE_INFINITY }),
  );
  t.api.dropWatches();
  const all = t.client.resource(ConfigMap, "default");
  await all.patch("c", mergePatch({ data: { a: "theirs" } }));
  t.manager.controller("shop").trigger("default/tea");
  await t.clock.advance(0);
  await expect.poll(async () => (await all.get("c")).data).toEqual({ a: "theirs", b: "ours" });
  t.api.compact();
  for (const outage of outages) {
    outage.remove();
  }
  await t.clock.advance(60_000);
  await t.settled();
  expect(seen).toEqual(["before", "before", "theirs"]);
});
