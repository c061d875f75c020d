// Test an operator without a cluster and without waiting: a controller on an embedded API server, on one virtual clock.
import assert from "node:assert/strict";
import { runPods } from "@typekube/apiserver/controllers";
import { controllerTest } from "@typekube/apiserver/testing";
import { conditions } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { ConfigMap, Pod } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";

/** The code under test: keeps a Deployment for each ConfigMap labelled `shop=yes`. */
const shops = defineController(
  { kind: ConfigMap, labelSelector: "shop=yes" },
  {
    name: "shops",
    owns: [Deployment],
    async reconcile({ metadata: { name }, data }, run) {
      const labels = { shop: name };
      const containers = [{ name: "main", image: data?.["image"] ?? "shop:latest" }];
      const template = { metadata: { labels }, spec: { containers } };
      const spec = { selector: { matchLabels: labels }, template };
      const web = await run.apply(Deployment, { metadata: { name }, spec });
      // The Deployment's next change brings the controller back.
      return conditions.available()(web) ? undefined : run.notReady("Starting");
    },
  },
);

await using t = await controllerTest(shops, {
  controllers: true,
  stages: runPods({ readyAfterMs: 0 }),
});
const { client } = t;
const configs = client.resource(ConfigMap, "default");
const images = async () =>
  (await client.resource(Pod, "default").list()).items.map(
    ({ spec }) => spec?.containers[0]?.image,
  );

await configs.create({
  metadata: { name: "tea", labels: { shop: "yes" } },
  data: { image: "tea:1" },
});
await t.settled();
console.log("runs", await images());
const [first] = t.runs("default/tea");
const last = t.runs("default/tea").at(-1);
console.log("the first run ended with", first?.outcome, "and the last one with", last?.outcome);

await configs.modify("tea", (tea) => {
  tea.data = { image: "tea:2" };
});
await t.settled();
console.log("rolled out", await images());

await t.advance(3_600_000);
const runs = t.runs().length;
await t.advance(3_600_000);
assert.equal(t.runs().length, runs, "a controller at rest does not run");

await configs.delete("tea");
await t.settled();
assert.deepEqual(await images(), []);
