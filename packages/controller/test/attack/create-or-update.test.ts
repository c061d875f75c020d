import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("createOrUpdate of a kind cached as metadata keeps the fields that the cache does not have", async () => {
  const controller = defineController(Shop, {
    reads: [{ kind: ConfigMap, view: "metadata" }],
    async reconcile(_, run) {
      await run.createOrUpdate(ConfigMap, "c", (draft) => {
        draft.metadata = { ...draft.metadata, labels: { seen: "yes" } };
      });
    },
  });
  await using t = await shopTest(controller);
  const configs = t.client.resource(ConfigMap, "default");
  await configs.create({ metadata: { name: "c" }, data: { precious: "1" } });
  await t.settled();
  await t.open("tea");
  const { data, metadata } = await configs.get("c");
  expect(metadata.labels).toEqual({ seen: "yes" });
  expect(data).toEqual({ precious: "1" });
});

test("createOrUpdate refuses a change that returns a promise", async () => {
  const controller = defineController(Shop, {
    reads: [ConfigMap],
    async reconcile(_, run) {
      await run.createOrUpdate(ConfigMap, "c", async (draft) => {
        await Promise.resolve();
        draft.data = { a: "b" };
      });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(t.runs("default/tea")[0]?.outcome).toBe("failed");
});
