import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("finalizers that were released stay away when somebody edits the object", async () => {
  const controller = defineController(Shop, { reconcile() {}, finalize() {} });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.manager.controller("shop").releaseFinalizers();
  await t.change("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  expect((await t.shop("tea"))?.metadata?.finalizers).toBeUndefined();
});
