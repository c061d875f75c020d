// Test an operator against a cluster in the same process: Deployments create pods, and dependents are
// garbage-collected.
import assert from "node:assert/strict";
import { startApiServer } from "@typekube/apiserver";
import { runPods } from "@typekube/apiserver/controllers";
import { type Client, conditions, type Live } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { ConfigMap, Pod } from "typekube/api/core/v1";

/** The code under test: maintains a Deployment for each ConfigMap labelled `shop=yes`. */
async function startOperator(client: Client): Promise<AsyncDisposable> {
  const informer = client.informer(ConfigMap, { labelSelector: "shop=yes" });
  const reconcile = async (shop: Live<ConfigMap>) => {
    const { name, namespace, uid } = shop.metadata;
    const labels = { shop: name };
    const containers = [{ name: "main", image: shop.data?.["image"] ?? "shop:latest" }];
    await client.resource(Deployment, namespace ?? "default").apply(
      {
        metadata: {
          name,
          ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }],
        },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      },
      { fieldManager: "shop-operator" },
    );
  };
  informer.onChange({ add: reconcile, update: reconcile });
  await informer.synced();
  return informer;
}

await using api = await startApiServer({ controllers: true, stages: runPods({ readyAfterMs: 0 }) });
await using client = await api.client();
await using _operator = await startOperator(client);
const shops = client.resource(ConfigMap, "default");
const deployments = client.resource(Deployment, "default");
const pods = client.resource(Pod, "default");
const images = async () => (await pods.list()).items.map(({ spec }) => spec?.containers[0]?.image);

await shops.create({
  metadata: { name: "tea", labels: { shop: "yes" } },
  data: { image: "tea:1" },
});
await deployments.waitFor("tea", conditions.available());
console.log("runs", await images());

await shops.modify("tea", (tea) => {
  tea.data = { image: "tea:2" };
});
await api.settled();
console.log("rolled out", await images());

await shops.delete("tea");
await deployments.waitFor("tea", conditions.deleted());
await api.settled();
assert.deepEqual(await images(), []);
console.log("gone with its owner");

// Prints:
// runs [ 'tea:1' ]
// rolled out [ 'tea:2' ]
// gone with its owner
