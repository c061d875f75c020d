// Work with a custom resource: with a type of your own, by apiVersion and kind, or by a name that users type.
import { startApiServer } from "@typekube/apiserver";
import { defineResource, type KubeObject, mergePatch } from "typekube";

interface Backup extends KubeObject {
  spec: { source: string };
  status?: { phase?: string };
}

const Backup = defineResource<Backup>({
  group: "example.com",
  version: "v1",
  kind: "Backup",
  shortNames: ["bk"],
});

// In a cluster, a CustomResourceDefinition registers the kind.
await using api = await startApiServer({ seed: 1, resources: [Backup] });
await using client = await api.client();

const backups = client.resource(Backup, "default");
const created = await backups.create({ metadata: { name: "nightly" }, spec: { source: "db-0" } });
console.log(created.spec.source); // typed as string
const begun = await backups.status.modify("nightly", (backup) => {
  backup.status = { ...backup.status, phase: "Running" };
});
console.log(begun.metadata.name, begun.status?.phase);

const byNames = client.resource({ apiVersion: "example.com/v1", kind: "Backup" }, "default");
await byNames.status.patch("nightly", mergePatch({ status: { phase: "Done" } }));
console.log((await byNames.get("nightly"))["status"]);

const found = await client.discovery.find("bk");
console.log(found.apiVersion, found.kind, (await client.resource(found).list()).items.length);

// Prints:
// db-0
// nightly Running
// { phase: 'Done' }
// example.com/v1 Backup 1
