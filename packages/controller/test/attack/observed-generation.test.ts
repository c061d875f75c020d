import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("observedGeneration is that of the object which was reconciled", async () => {
  let change: (() => Promise<unknown>) | undefined;
  const observed: unknown[] = [];
  const controller = defineController(Shop, {
    async reconcile(_, run) {
      await change?.();
      const isFirst = change !== undefined;
      change = undefined;
      await run.status.set({ ready: isFirst ? 1 : 2 });
      const conditions = [{ type: "Ready", status: "True", reason: "Ok", message: "" }] as const;
      const { status } = await run.status.set({ conditions: conditions as never });
      observed.push(status?.conditions?.[0]?.observedGeneration);
    },
  });
  await using t = await shopTest(controller);
  const shops = t.client.resource(Shop, "default");
  change = () =>
    shops.modify("tea", (draft) => {
      draft.spec = { image: "x" };
    });
  await t.open("tea");
  expect(observed).toEqual([1, 2]);
});
