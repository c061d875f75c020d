import type { Client, KubeObject, ResourceDescriptor } from "typekube";
import { mergePatch } from "typekube";

interface Backup extends KubeObject {
  spec: { source: string };
}

/** Uses built-in kinds by name, kinds with a custom type, and any other kind. */
export async function kindsByName(
  client: Client,
  descriptor: ResourceDescriptor<Backup, "Namespaced">,
): Promise<unknown[]> {
  const deployment = await client
    .resource({ apiVersion: "apps/v1", kind: "Deployment" }, "prod")
    .get("web");
  const replicas: number | undefined = deployment.spec?.replicas;
  const own = await client.resource(descriptor, "prod").get("nightly");
  const source: string = own.spec.source;
  const other = client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod");
  await other.patch("w", mergePatch({ spec: null }));
  const found = await client.discovery.find("widgets");
  const { items } = await client.resource(found).list();
  return [replicas, source, (await other.get("w"))["spec"], items.length];
}
