import { ConfigMap } from "@typekube/api/core/v1";
import {
  defineController,
  kstatusConditions,
  setCondition,
  summarize,
  type WithConditions,
} from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

type Test = Awaited<ReturnType<typeof shopTest>>;
const statusWrites = (t: Test) =>
  t.api.requests.filter(
    ({ resource, subresource }) => resource === "shops" && subresource === "status",
  ).length;
const start = Date.parse("2026-01-01T00:00:00Z");

test("CS1: lastTransitionTime changes only when the status flips; the order stays; an equal one changes nothing", () => {
  const ready = { type: "Ready", status: "False", reason: "Starting", message: "a" } as const;
  const first = setCondition<WithConditions>({ conditions: [] }, ready, start);
  const second = setCondition(
    first,
    { type: "Synced", status: "True", reason: "Ok" },
    start + 1_000,
  );
  expect(setCondition(second, ready, start + 5_000)).toBe(second);
  const reworded = setCondition(second, { ...ready, message: "b" }, start + 5_000);
  expect(reworded.conditions?.map(({ type }) => type)).toEqual(["Ready", "Synced"]);
  expect(reworded.conditions?.[0]?.lastTransitionTime).toBe("2026-01-01T00:00:00Z");
  const flipped = setCondition(reworded, { ...ready, status: "True" }, start + 9_000);
  expect(flipped.conditions?.[0]?.lastTransitionTime).toBe("2026-01-01T00:00:09Z");
});

test.each([
  ["a reason with spaces", { reason: "not ready" }, /reason/],
  ["an empty reason", { reason: "" }, /reason/],
  ["a status that is no word", { status: "yes" }, /status "yes"/],
  ["a message that is too long", { message: "x".repeat(32_769) }, /longer than 32768/],
  ["a type that is no name", { type: "Is Ready" }, /type "Is Ready"/],
])("CS2: a condition with %s is refused", (_, wrong, message) => {
  const condition = { type: "Ready", status: "True", reason: "Ok", ...wrong };
  expect(() => setCondition({}, condition as never)).toThrow(message);
});

test("CS3: a status that stands there already is not written again", async () => {
  const controller = defineController(Shop, {
    async reconcile(_, run) {
      await run.status.set({ url: "x", conditions: [condition("Ready", "True")] as never });
      await run.status.set({ url: "x" });
      return { status: { url: "x" }, requeueAfterMs: 1_000 };
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(5_000);
  expect(t.runs("default/tea").length).toBe(6);
  expect(statusWrites(t)).toBe(1);
});

const condition = (type: string, status: string) => ({
  type,
  status,
  reason: "Because",
  message: "",
});

test("CS4: the conditions of two controllers do not fight", async () => {
  const of = (name: string, type: string) =>
    defineController(Shop, {
      name,
      reconcile: () => ({ status: { conditions: [condition(type, "True")] as never } }),
    });
  await using t = await shopTest([of("one", "One"), of("two", "Two")]);
  await t.open("tea");
  await t.advance(1_000);
  const shop = await t.shop("tea");
  expect(shop?.status?.conditions?.map(({ type }) => type).sort()).toEqual(["One", "Two"]);
  const before = statusWrites(t);
  t.manager.controller("one").trigger("default/tea");
  t.manager.controller("two").trigger("default/tea");
  await t.settled();
  expect(statusWrites(t)).toBe(before);
});

test("CS5: a kind without a status is refused", async () => {
  const controller = defineController(ConfigMap, {
    retry: { maxAttempts: 1 },
    async reconcile(_, run) {
      await run.status.set({ a: 1 } as never);
    },
  });
  await using t = await shopTest(controller);
  await t.client.resource(ConfigMap, "default").create({ metadata: { name: "c" } });
  await t.settled();
  expect(t.runs("default/c")[0]?.error?.message).toContain(
    "v1/ConfigMap has no status subresource",
  );
});

test("CS6: status.set is kept when a later step throws, and conditions name the reconciled generation", async () => {
  const controller = defineController(Shop, {
    retry: { maxAttempts: 1 },
    async reconcile({ metadata }, run) {
      await run.status.set({ url: "x", conditions: [condition("Ready", "False")] as never });
      throw new Error(`after ${metadata.generation}`);
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const shop = await t.shop("tea");
  expect(shop?.status).toMatchObject({
    url: "x",
    conditions: [{ type: "Ready", status: "False", observedGeneration: 1 }],
  });
});

test("CS6: a returned status changes its own fields only, and not a namesake", async () => {
  const controller = defineController(Shop, { reconcile: () => ({ status: { url: "ours" } }) });
  await using t = await shopTest(controller);
  await t.open("tea");
  const shops = t.client.resource(Shop, "default");
  await shops.status.patch("tea", mergePatch({ status: { ready: 3, url: "theirs" } }));
  await t.settled();
  expect((await t.shop("tea"))?.status).toEqual({ url: "ours", ready: 3 });
});

test("CS7: Ready is the worst of several conditions, with its reason", () => {
  const one = { ...condition("Synced", "True"), lastTransitionTime: "" };
  const two = { ...condition("Available", "False"), reason: "NoPods", lastTransitionTime: "" };
  expect(summarize([one, two], ["Synced", "Available"])).toMatchObject({
    type: "Ready",
    status: "False",
    reason: "NoPods",
  });
  expect(summarize([one], ["Synced", "Available"])).toMatchObject({
    status: "Unknown",
    reason: "AvailableUnknown",
  });
  expect(summarize([one], ["Synced"])).toMatchObject({ status: "True" });
  const old = { ...one, observedGeneration: 1 };
  expect(summarize([old], ["Synced"], { generation: 2 })).toMatchObject({ status: "Unknown" });
  expect(
    kstatusConditions({ isReconciling: true }).map(({ type, status }) => [type, status]),
  ).toEqual([
    ["Reconciling", "True"],
    ["Stalled", "False"],
  ]);
});

test("CS8: a status that changes with every run is reported", async () => {
  let count = 0;
  const controller = defineController(Shop, {
    reconcile: () => ({ status: { url: `${count++}` }, requeueAfterMs: 1_000 }),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.advance(30_000);
  const told = t.lines("warn").filter((line) => line.includes("status"));
  expect(told.length).toBe(1);
  expect(told[0]).toContain("default/tea");
});

test("CR10: notReady writes its reason into Ready, if the object has that condition", async () => {
  const controller = defineController(Shop, {
    reconcile: (_, run) => run.notReady("WaitingForSecret", "the Secret is missing"),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect((await t.shop("tea"))?.status).toBeUndefined();
  const conditions = [
    { ...condition("Ready", "True"), lastTransitionTime: "2026-01-01T00:00:00Z" },
  ];
  await t.client
    .resource(Shop, "default")
    .status.patch("tea", mergePatch({ status: { conditions } }));
  await t.settled();
  expect((await t.shop("tea"))?.status?.conditions).toMatchObject([
    { type: "Ready", status: "False", reason: "WaitingForSecret" },
  ]);
});
