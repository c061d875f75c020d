import { type Client, jsonPatch, mergePatch, strategicPatch } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { ConfigMap } from "typekube/api/core/v1";

/** Uses create, update, patch, apply, modify and delete. */
export async function writing(client: Client): Promise<string> {
  const configMaps = client.resource(ConfigMap, "prod");
  const made = await configMaps.create({ metadata: { name: "a" }, data: { k: "v" } });
  await configMaps.update({ ...made, data: { k: "w" } }, { dryRun: "All" });
  await configMaps.modify("a", (configMap) => {
    configMap.data = { ...configMap.data, k: "x" };
  });
  await configMaps.patch("a", mergePatch({ data: { k: null } }));
  await configMaps.patch("a", jsonPatch([{ op: "remove", path: "/data" }]));
  await configMaps.patch("a", strategicPatch({ data: {} }));
  const deployments = client.resource(Deployment, "prod");
  await deployments.apply(
    { metadata: { name: "web" }, spec: { replicas: 2 } },
    { fieldManager: "me", force: true },
  );
  const scale = await deployments.scale.get("web");
  await deployments.scale.update("web", { ...scale, spec: { replicas: 3 } });
  await deployments.status.patch("web", mergePatch({ status: { replicas: 3 } }));
  const deletion = await configMaps.delete("a", { propagationPolicy: "Foreground" });
  return deletion.type;
}
