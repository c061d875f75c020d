import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expect, test } from "vitest";
import { Shop } from "../shop.js";
import { shopTest } from "../shop-test.js";

test("a plan that deletes hides nothing from the runs", async () => {
  let isNeeded = true;
  const controller = defineController(Shop, {
    owns: [ConfigMap],
    async reconcile(_, run) {
      if (isNeeded) {
        await run.apply(ConfigMap, { metadata: { name: "web" } });
      }
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  isNeeded = false;
  await t.manager.controller("shop").plan("default/tea");
  await t.manager.controller("shop").plan("default/tea");
  t.manager.controller("shop").trigger("default/tea");
  await t.settled();
  expect(await t.client.resource(ConfigMap, "default").find("web")).toBeUndefined();
});

test("a plan of a deletion leaves the finalizer to be removed by a run", async () => {
  let isFree = false;
  const controller = defineController(Shop, {
    reconcile() {},
    finalize: (_, run) => (isFree ? undefined : run.notReady("Busy")),
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  await t.client.resource(Shop, "default").delete("tea");
  await t.settled();
  isFree = true;
  await t.manager.controller("shop").plan("default/tea");
  await t.advance(60_000);
  expect(await t.shop("tea")).toBeUndefined();
});

test("a dry run inside of a run shows nothing that is not there", async () => {
  const seen: unknown[] = [];
  const controller = defineController(Shop, {
    reads: [ConfigMap],
    async reconcile(_, run) {
      await run.create(ConfigMap, { metadata: { name: "web" } }, { dryRun: "All" });
      seen.push(run.get(ConfigMap, "web"));
    },
  });
  await using t = await shopTest(controller);
  await t.open("tea");
  expect(seen).toEqual([undefined]);
});
