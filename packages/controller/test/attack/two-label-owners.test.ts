import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("two owners that apply the same labelled object do not write in turns without end", async () => {
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(_, run) {
      await run.apply(
        ConfigMap,
        { metadata: { name: "web", namespace: "kube-system" } },
        { track: "label" },
      );
    },
    finalize() {},
  });
  await using t = await shopTest(controller);
  const shops = t.client.resource(Shop, "default");
  await shops.create({ metadata: { name: "tea" } });
  await shops.create({ metadata: { name: "mate" } });
  await t.settled();
  expect(String(t.log.find(({ level }) => level === "error")?.error)).toContain("AlreadyOwned");
});
