import { Event } from "@typekube/api/events/v1";
import type { Condition } from "@typekube/api/meta/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

const hourMs = 3_600_000;
const open = { type: "Open", status: "True", reason: "Opened", message: "" } as Condition;

test("CF5, CF10: a finalize that throws sets the condition Finalizing, which says Stuck after an hour, and is an event", async () => {
  let fails = true;
  const controller = defineController(Shop, {
    retry: { jitter: 0 },
    reconcile: () => ({ status: { conditions: [open] } }),
    finalize() {
      if (fails) {
        throw new Error("the DNS server does not respond");
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  const finalizing = async () =>
    (await t.shop("tea"))?.status?.conditions?.find(({ type }) => type === "Finalizing");
  expect(await finalizing()).toMatchObject({
    status: "True",
    reason: "FinalizeFailed",
    message: "example.com/shop: the DNS server does not respond",
  });
  await t.advance(1_000);
  const { items } = await t.client.resource(Event, "default").list();
  expect(items.map(({ type, reason, action }) => [type, reason, action])).toEqual([
    ["Warning", "ReconcileFailed", "Finalizing"],
  ]);
  await t.advance(hourMs);
  await t.advance(hourMs / 2);
  expect((await finalizing())?.reason).toBe("Stuck");
  fails = false;
  await t.advance(hourMs);
  expect(await t.shop("tea")).toBeUndefined();
});

test("CF5: an object without conditions gets none", async () => {
  const controller = defineController(Shop, {
    reconcile() {},
    finalize: () => Promise.reject(new Error("no")),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  expect((await t.shop("tea"))?.status).toBeUndefined();
});
