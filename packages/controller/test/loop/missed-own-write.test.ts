import { ConfigMap } from "@typekube/api/core/v1";
import { controllerReference, defineController } from "@typekube/controller";
import { mergePatch } from "typekube";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { gate, shopTest } from "../shop-test.js";

test("CR28: a child that was damaged, repaired and damaged in the same way again, without a watch, is repaired again", async () => {
  const blocked = gate();
  let isBlocked = false;
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(_, run) {
      if (isBlocked) {
        await blocked.passed;
      }
      await run.apply(ConfigMap, { metadata: { name: "child" }, data: { image: "right" } });
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  const configs = t.client.resource(ConfigMap, "default");
  const damage = () => configs.patch("child", mergePatch({ data: { image: "damaged" } }));
  const image = async () => (await configs.get("child")).data?.["image"];

  isBlocked = true;
  await damage();
  await t.clock.advance(0);
  // The cache has the first damage. It sees neither the repair nor the second damage, only the state after both.
  const outages = (["list", "watch"] as const).map((verb) =>
    t.api.fault({ resource: "configmaps", verb, status: 503, times: Number.POSITIVE_INFINITY }),
  );
  t.api.dropWatches();
  blocked.open();
  await t.clock.advance(0);
  await expect.poll(image).toBe("right");
  await damage();
  t.api.compact();
  for (const outage of outages) {
    outage.remove();
  }
  await t.clock.advance(60_000);
  await t.settled();
  expect(await image()).toBe("right");
});

test("CR25: a child with a generated name is created once, however long the watch of its kind is down", async () => {
  let created = 0;
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(shop, run) {
      if (run.list(ConfigMap, { ownedBy: true }).length === 0) {
        const ownerReferences = [controllerReference(shop)];
        created += 1;
        await run.create(ConfigMap, { metadata: { generateName: "child-", ownerReferences } });
      }
    },
  });
  await using t = await shopTest(controller);
  const outages = (["list", "watch"] as const).map((verb) =>
    t.api.fault({ resource: "configmaps", verb, status: 503, times: Number.POSITIVE_INFINITY }),
  );
  t.api.dropWatches();
  await t.open("tea");
  expect(created).toBe(1);
  await t.advance(3 * 3_600_000);
  t.manager.controller("shop").triggerAll();
  await t.settled();
  for (const outage of outages) {
    outage.remove();
  }
  await t.advance(60_000);
  t.manager.controller("shop").triggerAll();
  await t.settled();
  expect(created).toBe(1);
});
