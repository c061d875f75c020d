import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { type Controller, defineController, startManager } from "@typekube/controller";
import { expect, test } from "vitest";
import { brand, brandDefinition } from "../brand.js";
import { get } from "../metrics/metrics-test.js";
import { Shop, shopDefinition } from "../shop.js";
import { type ShopTest, shopTest } from "../shop-test.js";

const definition = brandDefinition("Namespaced");
/** The kind with a descriptor, which needs no look-up. */
const Brand = {
  ...Shop,
  ...brand,
  plural: "brands",
  singular: "brand",
  subresources: { status: { ...brand, verbs: ["get", "patch", "update"] } },
} as unknown as typeof Shop;
const named = (name: string) => ({ metadata: { name } }) as never;
const declarations = [
  ["a descriptor", Brand],
  ["apiVersion and kind", brand],
] as const;

/** Returns a controller that applies a ConfigMap, and then an object of the kind. */
function applying(kind: typeof Brand | typeof brand): Controller {
  return defineController(Shop, {
    owns: [kind, ConfigMap],
    async reconcile({ metadata }, run) {
      await run.apply(ConfigMap, { metadata: { name: metadata.name } });
      await run.apply(kind, named(metadata.name));
      return { status: { url: "x" } };
    },
  }) as unknown as Controller;
}

const brandsOf = (t: ShopTest) => t.client.resource(brand, "default");
const inactive = (t: ShopTest) => t.manager.controller("shop").inactiveKinds;
const outcomes = (t: ShopTest) => t.runs("default/tea").map(({ outcome }) => outcome);

for (const [how, kind] of declarations) {
  test(`CD10: a controller goes on without an owned kind whose definition is absent, declared by ${how}`, async () => {
    await using t = await shopTest(applying(kind));
    await t.open("tea");
    expect(inactive(t)).toEqual(["example.com/v1/Brand"]);
    expect(await t.client.resource(ConfigMap, "default").find("tea")).toBeDefined();
    expect(t.runs("default/tea")[0]).toMatchObject({
      outcome: "notReady",
      reason: "WaitingForDefinition",
    });
    expect(t.lines("error")).toEqual([]);
    const told = t.lines("warn").filter((line) => line.includes("example.com/v1/Brand"));
    expect(told).toEqual([
      "example.com/v1/Brand is inactive: the server does not serve it. Runs that need it wait until its definition exists",
    ]);
  });

  test(`CD10: the kind becomes active with its definition, and every object is reconciled, declared by ${how}`, async () => {
    await using t = await shopTest(applying(kind));
    await t.open("tea");
    await t.advance(120_000);
    await t.api.load([definition]);
    await t.advance(15_000);
    expect(inactive(t)).toEqual([]);
    expect(outcomes(t).at(-1)).toBe("success");
    expect(t.lines("info")).toContain("example.com/v1/Brand is active: the server serves it");
    expect(await brandsOf(t).find("tea")).toBeDefined();
    const before = t.runs("default/tea").length;
    await brandsOf(t).delete("tea");
    await t.settled();
    expect(t.runs("default/tea").length).toBe(before + 1);
    expect(await brandsOf(t).find("tea")).toBeDefined();
  });

  test(`CD10: the kind is inactive while its definition is gone, and active when it returns, declared by ${how}`, async () => {
    await using t = await shopTest(applying(kind), { load: [definition] });
    await t.open("tea");
    expect(outcomes(t)).toEqual(["success"]);
    await t.client.deleteAll([definition]);
    await t.advance(30_000);
    expect(inactive(t)).toEqual(["example.com/v1/Brand"]);
    await t.open("mate");
    expect(t.runs("default/mate").at(-1)?.reason).toBe("WaitingForDefinition");
    await t.api.load([definition]);
    await t.advance(30_000);
    expect(inactive(t)).toEqual([]);
    expect(await brandsOf(t).find("tea")).toBeDefined();
    expect(await brandsOf(t).find("mate")).toBeDefined();
  });
}

test("CD10: run.isServed lets a reconciler leave the kind out, and it is reconciled once the kind is active", async () => {
  const causes: string[] = [];
  const controller = defineController(Shop, {
    owns: [brand],
    async reconcile({ metadata }, run) {
      causes.push(...run.causes.forDebug.map(({ type, object }) => `${type} ${object}`));
      if (run.isServed(brand)) {
        await run.apply(brand, named(metadata.name));
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(120_000);
  expect(outcomes(t)).toEqual(["success"]);
  await t.api.load([definition]);
  await t.advance(15_000);
  expect(causes).toEqual(["add example.com/v1/Shop default/tea", "kind example.com/v1/Brand"]);
  expect(await brandsOf(t).find("tea")).toBeDefined();
});

test("CD10: reads of an absent kind find nothing, deletes find nothing, and other writes wait", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    owns: [brand],
    async reconcile(_, run) {
      seen.push(run.get(brand, "a"), run.list(brand), await run.delete(brand, "a"));
      seen.push(await run.create(brand, named("a")).catch(({ code }) => code));
      seen.push(await run.createOrUpdate(brand, "a", () => {}).catch(({ code }) => code));
      await run.live.get(brand, "a");
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(seen.slice(0, 5)).toEqual([undefined, [], undefined, "InvalidState", "InvalidState"]);
  expect(t.runs("default/tea")[0]?.reason).toBe("WaitingForDefinition");
});

test("CD10: a definition that goes during a run makes its apply wait, not fail", async () => {
  await using t = await shopTest(applying(Brand), { load: [definition] });
  t.api.fault({ verb: "patch", resource: "brands", status: 404 });
  await t.open("tea");
  expect(t.runs("default/tea")[0]?.reason).toBe("WaitingForDefinition");
  await t.advance(1_000);
  expect(outcomes(t).at(-1)).toBe("success");
});

test("CD10: objects of a kind that a run found absent are not pruned, although they may still exist", async () => {
  const controller = defineController(Shop, {
    owns: [brand],
    async reconcile({ metadata }, run) {
      if (run.isServed(brand)) {
        await run.apply(brand, named(metadata.name));
      }
    },
  });
  await using t = await shopTest(controller, { load: [definition] });
  await t.open("tea");
  const deletes = () =>
    t.api.requests.filter(({ verb, resource }) => verb === "delete" && resource === "brands");
  // A gateway answers in place of the API server.
  const fault = t.api.fault({
    resource: "brands",
    status: 404,
    times: Infinity,
    when: ({ verb }) => verb !== "get" && verb !== "delete",
  });
  t.api.dropWatches({ resource: "brands" });
  await t.advance(60_000);
  expect(inactive(t)).toEqual(["example.com/v1/Brand"]);
  t.manager.controller("shop").triggerAll();
  await t.settled();
  expect(outcomes(t).at(-1)).toBe("success");
  expect(deletes()).toEqual([]);
  fault.remove();
  await t.advance(60_000);
  expect(inactive(t)).toEqual([]);
  expect(deletes()).toEqual([]);
});

test("CD10: an object is finalized although its labelled objects went with their definition unseen", async () => {
  const controller = defineController(Shop, {
    owns: [Brand],
    async reconcile({ metadata, spec }, run) {
      if (spec?.image !== undefined) {
        await run.apply(Brand, named(metadata.name), { track: "label" });
      }
    },
    finalize() {},
  });
  await using t = await shopTest(controller, { load: [definition] });
  await t.open("tea", { image: "tea:1" });
  const fault = t.api.fault({ verb: "watch", resource: "brands", status: 500, times: Infinity });
  t.api.dropWatches({ resource: "brands" });
  await t.client.deleteAll([definition]);
  fault.remove();
  await t.advance(60_000);
  expect(inactive(t)).toEqual(["example.com/v1/Brand"]);
  await t.change("tea", (draft) => {
    delete draft.spec?.image;
  });
  expect(outcomes(t).at(-1)).toBe("success");
  await t.client.resource(Shop, "default").delete("tea");
  await t.advance(1_000);
  expect(await t.shop("tea")).toBeUndefined();
});

test("CD10: a kind that is also watched or read is needed: its absence fails the start", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  await api.load([shopDefinition]);
  const controller = defineController(Shop, {
    owns: [Brand],
    reads: [brand],
    syncTimeoutMs: 1_000,
    reconcile() {},
  });
  const started = startManager(client, { controllers: [controller], log() {} });
  const refused = expect(started).rejects.toThrow(/cannot read example.com\/v1\/Brand/);
  await api.settled();
  await api.clock.advance(1_000);
  await refused;
});

test("CD10: readyz names the inactive kinds and is ready, however long they are absent", async () => {
  const health = { port: 0, host: "127.0.0.1" };
  await using t = await shopTest(applying(Brand), { manager: { health } });
  await t.open("tea");
  await t.advance(600_000);
  const { status, body } = await get(t.manager.ports.health, "/readyz?verbose");
  expect(status).toBe(200);
  expect(body).toContain("[+]informers-not-stalled ok\n");
  expect(body).toContain(
    "warn: inactive, as its definition is absent: example.com/v1/Brand of shop\nreadyz check passed\n",
  );
});
