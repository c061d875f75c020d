// Work with a kind that is not built in: with a type of one's own, by its names, or by a name as people write it.
import { startApiServer } from "@typekube/apiserver";
import { type KubeObject, merge, type ResourceDescriptor } from "typekube";

interface Backup extends KubeObject {
  spec: { source: string };
}

const Backup: ResourceDescriptor<Backup, "Namespaced"> = {
  group: "example.com",
  version: "v1",
  apiVersion: "example.com/v1",
  kind: "Backup",
  listKind: "BackupList",
  plural: "backups",
  singular: "backup",
  shortNames: ["bk"],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  subresources: {
    status: { apiVersion: "example.com/v1", kind: "Backup", verbs: ["get", "patch", "update"] },
  },
  protobuf: false,
};

// In a cluster a CustomResourceDefinition makes the kind.
await using api = await startApiServer({ seed: 1, resources: [Backup] });
await using client = await api.client();

const created = await client
  .resource(Backup, "default")
  .create({ metadata: { name: "nightly" }, spec: { source: "db-0" } });
console.log(created.spec.source); // the compiler knows

const byNames = client.resource({ apiVersion: "example.com/v1", kind: "Backup" }, "default");
await byNames.status.patch("nightly", merge({ status: { phase: "Done" } }));
console.log((await byNames.get("nightly"))["status"]);

const found = await client.discovery.find("bk");
console.log(found.apiVersion, found.kind, (await client.resource(found).list()).items.length);

// Prints:
// db-0
// { phase: 'Done' }
// example.com/v1 Backup 1
