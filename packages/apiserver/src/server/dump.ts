import { toYaml } from "@typekube/core";
import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { omitKeys } from "../objects/json-value.js";
import type { ServedResource } from "../resources/served-resource.js";
import { prepareViews } from "../resources/versions/conversion.js";
import { asVersion } from "../resources/versions/object-versions.js";

/** Options that select the content of a dump. */
export interface DumpOptions {
  /** Plural names of the resources to dump. Default: all. */
  readonly resources?: readonly string[] | undefined;
  /** Dumps only this namespace. Default: all namespaces and cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** Includes managedFields, so that a load restores field ownership. Default true; kubectl omits them. */
  readonly managedFields?: boolean | undefined;
}

/** Writes objects in the format of `kubectl get -o yaml`: a `List` that load and kubectl can read. */
export async function dump(
  server: ServerContext,
  { resources, namespace, managedFields = true }: DumpOptions = {},
): Promise<string> {
  const items: ApiObject[] = [];
  for (const [storage, collection] of [...server.store.collections()].sort(byOrder)) {
    const prefix = namespace === undefined ? "" : `${namespace}/`;
    for (const [, object] of collection.entries(prefix)) {
      const resource = resourceOf(server, storage, object);
      if (resource === undefined || resources?.includes(resource.plural) === false) {
        break;
      }
      if (resource.defined !== undefined) {
        await prepareViews([object], resource.defined);
      }
      const shown = asVersion(object, resource);
      const metadata = managedFields ? shown.metadata : omitKeys(shown.metadata, "managedFields");
      items.push({ ...shown, metadata });
    }
  }
  const list = { apiVersion: "v1", kind: "List", metadata: { resourceVersion: "" }, items };
  return toYaml(list, { managedFields: true });
}

/** Returns the resource version in which to dump an object: its stored apiVersion if that is served. */
function resourceOf(
  { registry }: ServerContext,
  storage: string,
  { apiVersion }: ApiObject,
): ServedResource | undefined {
  const versions = registry.resources.filter((resource) => resource.storage === storage);
  return versions.find(({ descriptor }) => descriptor.apiVersion === apiVersion) ?? versions[0];
}

const first = ["customresourcedefinitions.apiextensions.k8s.io", "namespaces"];

/** Sorts prerequisites first, so that kubectl can create everything in one run. */
function byOrder([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  const rank = (storage: string) =>
    (first.indexOf(storage) + first.length + 1) % (first.length + 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}
