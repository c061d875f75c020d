// Count the pods of a large cluster by node and phase, in a cache that keeps two fields of each.
import { startApiServer } from "@typekube/apiserver";
import { Pod } from "typekube/api/core/v1";

const count = Number(process.env["PODS"] ?? 2_000);
await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const pods = client.resource(Pod, "default");
for (let at = 0; at < count; at++) {
  await pods.create({
    metadata: { name: `pod-${at}`, labels: { app: `app-${at % 10}` } },
    spec: {
      nodeName: `node-${at % 4}`,
      containers: [{ name: "main", image: "registry.example/web:1" }],
    },
  });
}

await using cache = client.informer(Pod, {
  fields: ["spec.nodeName", "status.phase"],
  indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] },
});
await cache.synced();
for (const node of cache.indexValues("node").sort()) {
  const phases = new Map<string, number>();
  for (const { status } of cache.by.node(node)) {
    const phase = status?.phase ?? "Unknown";
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
  }
  console.log(node, Object.fromEntries(phases));
}
console.log(Object.keys(cache.get("default/pod-0")?.spec ?? {}).join());

// Prints:
// node-0 { Pending: 500 }
// node-1 { Pending: 500 }
// node-2 { Pending: 500 }
// node-3 { Pending: 500 }
// nodeName
