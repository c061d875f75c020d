import type { Deployment } from "@typekube/api/apps/v1";
import { type ConfigMap, ConfigMap as configMapDescriptor, type Pod } from "@typekube/api/core/v1";
import type { Client } from "typekube";

/** Returns a ConfigMap with a name and optional data and labels. */
export function configMap(
  name: string,
  data: Record<string, string> = {},
  labels?: Record<string, string>,
): ConfigMap {
  return { metadata: { name, labels }, data };
}

/** Returns a Pod that every server accepts; no kubelet runs it. */
export function pod(name: string, labels: Record<string, string> = {}): Pod {
  return {
    metadata: { name, labels },
    spec: { containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }] },
  };
}

/** Returns a Deployment with one container. */
export function deployment(name: string, replicas = 1): Deployment {
  const labels = { app: name };
  return {
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }] },
      },
    },
  };
}

/** Creates ConfigMaps `cm-00`, `cm-01` ... in sequence, each with its number as data. */
export async function createConfigMaps(
  client: Client,
  namespace: string,
  count: number,
  labels: (index: number) => Record<string, string> = () => ({}),
): Promise<void> {
  const configMaps = client.resource(configMapDescriptor, namespace);
  for (let index = 0; index < count; index++) {
    await configMaps.create(configMap(numbered(index), { index: String(index) }, labels(index)));
  }
}

/** Returns the name of the nth ConfigMap of {@link createConfigMaps}. */
export function numbered(index: number): string {
  return `cm-${String(index).padStart(2, "0")}`;
}

/** Returns the names of objects, in their order. */
export function namesOf(
  objects: readonly { readonly metadata?: { readonly name?: string | undefined } | undefined }[],
): (string | undefined)[] {
  return objects.map(({ metadata }) => metadata?.name);
}
