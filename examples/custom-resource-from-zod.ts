// Define a custom resource by zod schemas: its type, its definition and the checks of its objects come from one place.
import { startApiServer } from "@typekube/apiserver";
import { defineResource, install, listMap } from "typekube/crd";
import { rule } from "typekube/crd/rules";
import * as z from "zod";

const Backup = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Backup",
  shortNames: ["bk"],
  spec: rule(
    z.object({
      source: z.string().min(1),
      keep: z.int().min(1).max(30).default(7),
      keepFailed: z.int().min(0).default(1),
      targets: listMap(["name"], z.object({ name: z.string(), url: z.url() })).optional(),
    }),
    "self.keepFailed <= self.keep",
    { message: "keepFailed is greater than keep", fieldPath: ".keepFailed" },
  ),
  status: z.object({ phase: z.enum(["Running", "Done"]).optional() }),
  columns: [{ name: "Phase", type: "string", jsonPath: ".status.phase" }],
  selectable: [".spec.source"],
});

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const [installed] = await install(client, [Backup]); // operators do this at their start
console.log(installed?.name, installed?.result);

const backups = client.resource(Backup, "default");
const created = await backups.create({ metadata: { name: "nightly" }, spec: { source: "db-0" } });
console.log(created.spec.keep); // typed as number: the server fills in the default

const wrong = { metadata: { name: "weekly" }, spec: { source: "db-0", keep: 1, keepFailed: 2 } };
for (const { field, message } of Backup.check(wrong).causes) {
  console.log(`${field}: ${message}`); // the error of a server, without one
}

const found = await backups.list({ fieldSelector: { "spec.source": "db-0" } });
console.log(found.items.map(({ metadata }) => metadata.name));

// Prints:
// backups.example.com created
// 7
// spec.keepFailed: Invalid value: keepFailed is greater than keep
// [ 'nightly' ]
