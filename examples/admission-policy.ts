// Define admission policies in TypeScript, and see what they refuse and change.
import { startApiServer } from "@typekube/apiserver";
import { isInvalid } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { definePolicy } from "typekube/cel";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();

const labels = definePolicy({
  name: "team-label",
  resources: [ConfigMap],
  mutations: [{ apply: "Object{metadata: Object.metadata{labels: {'team': 'blue'}}}" }],
});
const limit = definePolicy({
  name: "few-entries",
  resources: [ConfigMap],
  params: { resource: ConfigMap, from: { name: "limits" } },
  validations: [
    {
      expression: "object.data.size() <= int(params.data.most)",
      messageExpression: "'at most ' + params.data.most + ' entries'",
    },
  ],
});
const configMaps = client.resource(ConfigMap, "default");
await configMaps.create({ metadata: { name: "limits" }, data: { most: "1" } });
await client.applyAll([...labels.objects, ...limit.objects]);

const created = await configMaps.create({ metadata: { name: "small" }, data: { a: "1" } });
console.log(created.metadata?.labels);
try {
  await configMaps.create({ metadata: { name: "large" }, data: { a: "1", b: "2" } });
} catch (error) {
  console.log(isInvalid(error) && error.status?.message);
}

// Prints:
// { team: 'blue' }
// configmaps "large" is forbidden: ValidatingAdmissionPolicy 'few-entries' with binding 'few-entries' denied request: at most 1 entries
