// Server-side apply: two managers, a conflict as data, and two ways to resolve it.
import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";
import { applyConflicts } from "typekube/fields";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const configMaps = client.resource(ConfigMap, "default");
const metadata = { name: "settings" };

const live = await configMaps.apply(
  { metadata, data: { colour: "green" } },
  { fieldManager: "designer" },
);
const ops = { fieldManager: "ops" };
const wanted = { metadata, data: { colour: "red", size: "3" } };
try {
  await configMaps.apply(wanted, ops);
} catch (error) {
  for (const { manager, path, value } of applyConflicts(error, live)) {
    console.log(`${path} is ${value} and belongs to ${manager}`);
  }
}

// Resolve it by leaving the field to its owner, or by taking the field over with `force`.
console.log((await configMaps.apply({ metadata, data: { size: "3" } }, ops)).data);
console.log((await configMaps.apply(wanted, { ...ops, force: true })).data);

// Prints:
// .data.colour is green and belongs to designer
// { colour: 'green', size: '3' }
// { colour: 'red', size: '3' }
