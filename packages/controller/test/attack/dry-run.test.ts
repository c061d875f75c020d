import { defineController } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("the result of a dry run is not written by a later call of the same run", async () => {
  const controller = defineController(Shop, {
    async reconcile(_, run) {
      await run.patch(Shop, run.name, mergePatch({ spec: { image: "dry" } }), { dryRun: "All" });
      await run.createOrUpdate(Shop, run.name, (draft) => {
        draft.metadata = { ...draft.metadata, labels: { a: "b" } };
      });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "real" });
  const tea = await t.shop("tea");
  expect(tea?.spec).toEqual({ image: "real" });
  expect(tea?.metadata?.labels).toEqual({ a: "b" });
});
