import type { Deployment } from "@typekube/api/apps/v1";
import { type ConfigMap, ConfigMap as configMapDescriptor, type Pod } from "@typekube/api/core/v1";
import type { Client } from "typekube";

/** A ConfigMap with a name and, where given, data and labels. */
export function configMap(
  name: string,
  data: Record<string, string> = {},
  labels?: Record<string, string>,
): ConfigMap {
  return { metadata: { name, labels }, data };
}

/** A Pod that any server takes; nobody runs it. */
export function pod(name: string, labels: Record<string, string> = {}): Pod {
  return {
    metadata: { name, labels },
    spec: { containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }] },
  };
}

/** A Deployment with one container. */
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

/** Makes ConfigMaps `cm-00`, `cm-01` ... one after the other; each has its number as data. */
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

/** The name of the nth of {@link createConfigMaps}. */
export function numbered(index: number): string {
  return `cm-${String(index).padStart(2, "0")}`;
}

/** The names of objects, in their order. */
export function namesOf(
  objects: readonly { readonly metadata?: { readonly name?: string | undefined } | undefined }[],
): (string | undefined)[] {
  return objects.map(({ metadata }) => metadata?.name);
}
