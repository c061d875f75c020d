import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("a template that is changed in place between two runs is applied again", async () => {
  const template = { metadata: { name: "web" }, data: { image: "" } };
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile({ spec }, run) {
      template.data.image = spec?.image ?? "";
      await run.apply(ConfigMap, template);
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea", { image: "tea:1" });
  await t.change("tea", (draft) => {
    draft.spec = { image: "tea:2" };
  });
  const web = await t.client.resource(ConfigMap, "default").get("web");
  expect(web.data).toEqual({ image: "tea:2" });
});
