import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { builtInResources } from "@typekube/api/resources";

/** Returns the path of the collection for an object of a built-in type. */
export function collectionPath({ apiVersion = "", kind }: KubeObject, namespace: string): string {
  const descriptor = (builtInResources as ResourceDescriptor[]).find(
    (one) => one.apiVersion === apiVersion && one.kind === kind,
  );
  const root = apiVersion.includes("/") ? "/apis" : "/api";
  const home = descriptor?.scope === "Namespaced" ? `/namespaces/${namespace}` : "";
  return `${root}/${apiVersion}${home}/${descriptor?.plural}`;
}
