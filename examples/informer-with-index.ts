// Keep a cache of pods with an index, read it without requests, and handle changes.
import { startApiServer } from "@typekube/apiserver";
import { Pod } from "typekube/api/core/v1";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const pods = client.resource(Pod, "default");
const create = (name: string, nodeName: string) =>
  pods.create({
    metadata: { name },
    spec: { nodeName, containers: [{ name: "main", image: "registry.example/web" }] },
  });
await create("web-0", "node-a");
await create("web-1", "node-b");

await using informer = client.informer(Pod, {
  namespace: "default",
  indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] },
});
const deleted = new Promise<void>((resolve) => {
  informer.onChange({
    add: (pod, { initial }) => console.log(initial ? "initial" : "add", pod.metadata.name),
    delete(pod) {
      console.log("delete", pod.metadata.name);
      resolve();
    },
  });
});
await informer.synced();

await create("web-2", "node-b");
await pods.delete("web-0", { gracePeriodSeconds: 0 });
await informer.caughtUpTo(api.resourceVersion);
await deleted; // handlers are called after the cache has changed
const on = (node: string) => informer.by.node(node).map(({ metadata }) => metadata.name);
console.log("node-a:", on("node-a").join(" ") || "none");
console.log("node-b:", on("node-b").sort().join(" "));

// Prints:
// initial web-0
// initial web-1
// add web-2
// delete web-0
// node-a: none
// node-b: web-1 web-2
