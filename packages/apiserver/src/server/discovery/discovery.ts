import { createHash } from "node:crypto";
import type { SubresourceDescriptor } from "@typekube/api";
import { formatApiVersion } from "@typekube/core";
import type { JsonObject } from "../../objects/json-value.js";
import type { ResourceRegistry } from "../../resources/resource-registry.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { storageVersionHash } from "./storage-version-hash.js";

/** Media type parameters that request aggregated discovery. */
export const aggregatedParameters = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Returns the document at `/api`: the versions of the core group. */
export function coreVersions({ groups }: ResourceRegistry): JsonObject {
  return {
    kind: "APIVersions",
    versions: [...(groups.get("") ?? [])],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "embedded:443" }],
  };
}

/** Returns the document at `/apis`: all named groups. */
export function groupList(registry: ResourceRegistry): JsonObject {
  const groups = [...registry.groups.keys()].filter((group) => group !== "");
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groups.map((group) => groupFacts(registry, group)),
  };
}

/** Returns the document at `/apis/GROUP`; `undefined` when the group is not served. */
export function oneGroup(registry: ResourceRegistry, group: string): JsonObject | undefined {
  return registry.groups.has(group) && group !== ""
    ? { kind: "APIGroup", apiVersion: "v1", ...groupFacts(registry, group) }
    : undefined;
}

function groupFacts({ groups }: ResourceRegistry, group: string): JsonObject {
  const versions = (groups.get(group) ?? []).map((version) => ({
    groupVersion: formatApiVersion({ group, version }),
    version,
  }));
  return { name: group, versions, preferredVersion: versions[0] };
}

/** Returns the document at `/apis/GROUP/VERSION` or `/api/v1`; `undefined` when the version is not served. */
export function resourceList(
  registry: ResourceRegistry,
  group: string,
  version: string,
): JsonObject | undefined {
  const resources = registry.ofVersion(group, version);
  return resources.length === 0
    ? undefined
    : {
        kind: "APIResourceList",
        // Only the list of the core group has no apiVersion.
        ...(group === "" ? {} : { apiVersion: "v1" }),
        groupVersion: formatApiVersion({ group, version }),
        resources: resources.flatMap(resourceFacts),
      };
}

function resourceFacts(resource: ServedResource): JsonObject[] {
  const { descriptor, namespaced } = resource;
  const { plural, singular, kind, shortNames, categories, subresources } = descriptor;
  const verbs = verbsOf(resource);
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...storageVersionHash(resource),
  };
  // A resource without verbs exists only through its subresources.
  const parts = Object.entries(subresources).map(([name, subresource]) => ({
    name: `${plural}/${name}`,
    singularName: "",
    namespaced,
    ...otherGroup(subresource, descriptor.apiVersion),
    kind: subresource.kind,
    verbs: subresource.verbs,
  }));
  return verbs.length > 0 ? [main, ...parts] : parts;
}

/** Returns the verbs for discovery; a terminating custom resource has none that write, except deletes. */
function verbsOf({ descriptor: { verbs }, defined }: ServedResource): readonly string[] {
  return defined?.definition.terminating
    ? verbs.filter((verb) => !["create", "patch", "update"].includes(verb))
    : verbs;
}

function otherGroup({ apiVersion }: SubresourceDescriptor, own: string): JsonObject {
  if (apiVersion === own) {
    return {};
  }
  const [first = "", second] = apiVersion.split("/");
  return second === undefined ? { version: first } : { group: first, version: second };
}

/** Returns the aggregated form of `/api` or `/apis`. */
export function aggregatedDiscovery(registry: ResourceRegistry, core: boolean): JsonObject {
  const groups = [...registry.groups].filter(([group]) => (group === "") === core);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versions.map((version) => ({
        version,
        resources: registry.ofVersion(group, version).map(aggregatedFacts),
        freshness: "Current",
      })),
    })),
  };
}

function aggregatedFacts(resource: ServedResource): JsonObject {
  const { descriptor, rules } = resource;
  const { plural, singular, scope, shortNames, categories, subresources } = descriptor;
  const verbs = verbsOf(resource);
  const parts = Object.entries(subresources).map(([subresource, part]) => ({
    subresource,
    responseKind: responseKind(part, descriptor.apiVersion, rules.custom),
    verbs: part.verbs,
  }));
  return {
    resource: plural,
    responseKind: responseKind(descriptor, descriptor.apiVersion, rules.custom),
    scope,
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(parts.length > 0 ? { subresources: parts } : {}),
  };
}

/** Returns the responseKind. Built-in kinds omit group and version if they equal those of the entry. */
function responseKind(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  own: string,
  custom: boolean,
): JsonObject {
  const [first = "", second] = apiVersion.split("/");
  return apiVersion === own && !custom
    ? { group: "", version: "", kind }
    : { group: second === undefined ? "" : first, version: second ?? first, kind };
}

/** Returns the ETag of a discovery document. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha512").update(bytes).digest("hex").toUpperCase()}"`;
}
