import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("a part of a status that is undefined is removed at any depth", async () => {
  type Deep = Shop & { status?: { deep?: { a?: string | undefined; b?: string } } };
  let a: string | undefined = "a";
  const controller = defineController(Shop, {
    reconcile: () => ({ status: { deep: { a, b: "b" } } as never }),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  a = undefined;
  t.manager.controller("shop").trigger("default/tea");
  await t.settled();
  expect(((await t.shop("tea")) as Deep).status?.deep).toEqual({ b: "b" });
});
