// The first steps of the README, run against a listening embedded API server that a kubeconfig points at.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@typekube/apiserver";
import { parseManifests } from "typekube";

const yamlText = `
apiVersion: v1
kind: Namespace
metadata: { name: prod }
---
apiVersion: v1
kind: Pod
metadata: { name: web-0, namespace: prod, labels: { app: web } }
spec: { nodeName: node-1, containers: [{ name: web, image: registry.example/web }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: prod }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: registry.example/web }] }
`;

await using api = await startApiServer();
await using setup = await api.client();
await setup.applyAll(await parseManifests(yamlText), { fieldManager: "my-tool" });
const listener = await api.listen();
const folder = await mkdtemp(join(tmpdir(), "typekube-"));
process.env["KUBECONFIG"] = join(folder, "config");
await listener.writeKubeconfig(process.env["KUBECONFIG"]);

// #region README
import { connect, mergePatch } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { Pod } from "typekube/api/core/v1";

await using client = await connect(); // KUBECONFIG, ~/.kube/config, or the service account of a pod

const pods = client.resource(Pod, "prod");
const web = await pods.find("web-0"); // undefined when it does not exist
console.log(web?.status?.phase);

for await (const pod of client.resource(Pod).items({ labelSelector: { app: "web" } })) {
  console.log(pod.metadata.namespace, pod.metadata.name); // all namespaces, page by page
}

await client.resource(Deployment, "prod").patch("web", mergePatch({ spec: { replicas: 3 } }));
await client.applyAll(yamlText, { fieldManager: "my-tool", force: true });

await using informer = client.informer(Pod, {
  indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] },
});
await informer.synced();
console.log(informer.by.node("node-1").length);
// #endregion

await rm(folder, { recursive: true });
