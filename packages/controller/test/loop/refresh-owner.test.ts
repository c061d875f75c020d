import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

const applying = defineController(Shop, {
  owns: [ConfigMap],
  async reconcile({ spec }, run) {
    await run.apply(ConfigMap, { metadata: { name: "c" }, data: { image: spec?.image ?? "" } });
  },
});

test("children that the garbage collector deletes are not created again while the cache still shows their owner", async () => {
  await using t = await shopTest(applying, { controllers: { garbageCollection: true } });
  await t.open("tea", { image: "1" });
  t.api.fault({ resource: "shops", event: "drop", eventType: "DELETED" });
  const creations = () =>
    t.api.requests.filter(({ verb, resource }) => verb === "patch" && resource === "configmaps")
      .length;
  const before = creations();
  await t.client.resource(Shop, "default").delete("tea");
  await t.advance(20_000);
  expect(await t.client.resource(ConfigMap, "default").find("c")).toBeUndefined();
  expect(creations() - before).toBe(0);
  expect(t.runs("default/tea").length).toBeGreaterThan(1);
});

test("a child that somebody deletes is created again from the owner as the server has it", async () => {
  await using t = await shopTest(applying);
  await t.open("tea", { image: "1" });
  t.api.fault({ resource: "shops", event: "drop", eventType: "MODIFIED" });
  await t.change("tea", (draft) => {
    draft.spec = { image: "2" };
  });
  await t.client.resource(ConfigMap, "default").delete("c");
  await t.settled();
  expect((await t.client.resource(ConfigMap, "default").get("c")).data).toEqual({ image: "2" });
});

test("a child that was deleted before the cache had it is created again", async () => {
  await using t = await shopTest(applying);
  // The watch misses the child's creation and its deletion, as one that is replaced by a new snapshot does.
  t.api.fault({ resource: "configmaps", event: "drop", name: "c", times: 2 });
  await t.open("tea", { image: "1" });
  const configs = t.client.resource(ConfigMap, "default");
  await configs.delete("c");
  await configs.create({ metadata: { name: "other" } });
  await t.settled();
  expect((await configs.get("c")).data).toEqual({ image: "1" });
});
