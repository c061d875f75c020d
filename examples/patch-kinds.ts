// Change parts of an object: merge, JSON and strategic merge patches, and patches computed from two objects.
import { startApiServer } from "@typekube/apiserver";
import { isInvalid, jsonPatch, mergePatch, strategicPatch } from "typekube";
import { Deployment } from "typekube/api/apps/v1";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const deployments = client.resource(Deployment, "default");
const labels = { app: "web" };
const containers = [{ name: "web", image: "registry.example/web:1" }];
const created = await deployments.create({
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  },
});
const images = ({ spec }: Deployment) =>
  spec?.template.spec?.containers.map(({ name, image }) => `${name}=${image?.split("/")[1]}`);

const merged = await deployments.patch("web", mergePatch({ spec: { replicas: 3 } }));
console.log("merge", merged.spec?.replicas);

const sidecar = { name: "log", image: "registry.example/log:1" };
const joined = await deployments.patch(
  "web",
  strategicPatch({ spec: { template: { spec: { containers: [sidecar] } } } }), // lists merge by name
);
console.log("strategic", images(joined)?.sort().join(" "));

const test = { op: "test", path: "/spec/replicas", value: 2 } as const;
const change = { op: "replace", path: "/spec/replicas", value: 5 } as const;
const refused = await deployments.patch("web", jsonPatch([test, change])).catch((error) => error);
console.log("json", isInvalid(refused) ? "refused: there are not 2" : "done");

const wanted = structuredClone(created);
wanted.metadata.labels = { team: "shop" };
const between = await mergePatch.between(created, wanted);
console.log("between", JSON.stringify(between.body));

// Prints:
// merge 3
// strategic log=log:1 web=web:1
// json refused: there are not 2
// between {"metadata":{"labels":{"team":"shop"}}}
