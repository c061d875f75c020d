import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("a copy of a labelled child that somebody made keeps no finalizer", async () => {
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
  await t.open("tea");
  const configs = t.client.resource(ConfigMap, "kube-system");
  const { metadata } = await configs.get("web");
  await configs.create({ metadata: { name: "copy", labels: metadata.labels ?? {} } });
  await t.settled();
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  await t.advance(60_000);
  expect(await t.shop("tea")).toBeUndefined();
  expect(await configs.find("copy")).toBeDefined();
  expect(await configs.find("web")).toBeUndefined();
});
