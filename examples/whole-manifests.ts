// Diff YAML manifests against the cluster, apply them, prune removed objects, delete the rest.
import { startApiServer } from "@typekube/apiserver";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();

const namespace = `
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { team: web } }
`;
const config = (colour: string) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { colour: ${colour} }
---
`;
const service = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`;
const options = { fieldManager: "example", applySet: { name: "shop", namespace: "shop" } };

await client.applyAll(namespace, options);
const first = await client.applyAndPrune(config("green") + service, options);
console.log(first.applied.map(({ object, outcome }) => `${object.kind} ${outcome}`).join(", "));

console.log((await client.diff(config("red"), options)).text);

const second = await client.applyAndPrune(config("red"), options);
console.log(second.pruned.map(({ kind, name, outcome }) => `${kind} ${name} ${outcome}`).join());
const deleted = await client.deleteAll(config("red"));
console.log(deleted.map(({ kind, name, outcome }) => `${kind} ${name} ${outcome}`).join());

// Prints:
// ConfigMap created, Service created
// --- v1/ConfigMap shop/settings (live)
// +++ v1/ConfigMap shop/settings (applied)
// @@ -1,6 +1,6 @@
//  apiVersion: v1
//  data:
// -  colour: green
// +  colour: red
//  kind: ConfigMap
//  metadata:
//    labels:
//
// Service web deleted
// ConfigMap settings deleted
