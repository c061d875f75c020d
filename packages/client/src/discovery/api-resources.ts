import type { ResourceDescriptor, SubresourceDescriptor, Verb } from "@typekube/api";
import { formatApiVersion, harmless } from "@typekube/core";
import { diagnostics } from "@typekube/core/internal";
import { isPathName } from "../request/resource-path.js";
import {
  type AggregatedDiscovery,
  type AggregatedResource,
  discoveryDocument,
  type GroupVersionKind,
} from "./discovery-document.js";

interface GroupAndVersion {
  readonly group: string;
  readonly version: string;
}

/** Reads the descriptors from an aggregated discovery response. Stale group-versions are left out. */
export function fromAggregated(discovery: AggregatedDiscovery): ResourceDescriptor[] {
  return (discovery.items ?? []).flatMap((item) =>
    (item.versions ?? [])
      .filter((version) => version.freshness !== "Stale")
      .flatMap(({ version, resources = [] }) => {
        const home = { group: item.metadata?.name ?? "", version };
        return resources
          .filter((resource) => resource.responseKind?.kind && isUsable(home, resource.resource))
          .map((resource) => describe(home, resource));
      }),
  );
}

const skipped = diagnostics("typekube:discovery.skipped");

/**
 * Returns whether the names of an entry can be part of a path. Other entries are skipped: their names would lead a
 * request elsewhere.
 */
function isUsable({ group, version }: GroupAndVersion, resource: string): boolean {
  const [plural, subresource, ...more] = resource.split("/");
  const parts = [version, plural, ...(group === "" ? [] : [group]), subresource ?? "none"];
  if (more.length === 0 && parts.every(isPathName)) {
    return true;
  }
  if (skipped.hasSubscribers) {
    const apiVersion = harmless(formatApiVersion({ group, version }));
    skipped.publish({ apiVersion, resource: harmless(resource), reason: "InvalidName" });
  }
  return false;
}

function describe(home: GroupAndVersion, resource: AggregatedResource): ResourceDescriptor {
  const kind = resource.responseKind?.kind ?? "";
  return {
    ...descriptorBase(home, kind, resource.resource, resource.verbs),
    singular: resource.singularResource || kind.toLowerCase(),
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    scope: resource.scope === "Cluster" ? "Cluster" : "Namespaced",
    subresources: Object.fromEntries(
      (resource.subresources ?? [])
        .filter((sub) => isUsable(home, `${resource.resource}/${sub.subresource}`))
        .map((sub) => [
          sub.subresource,
          subresource(
            groupVersionOr(home, sub.responseKind),
            kind,
            sub.responseKind?.kind,
            sub.verbs,
          ),
        ]),
    ),
  };
}

/**
 * Returns the group and version of a subresource. Servers omit both when they equal those of the resource; a version
 * without a group means the core group.
 */
function groupVersionOr(
  home: GroupAndVersion,
  { group = "", version = "" }: GroupVersionKind = {},
): GroupAndVersion {
  return version === "" ? home : { group, version };
}

function subresource(
  groupVersion: GroupAndVersion,
  parentKind: string,
  kind: string | undefined,
  verbs: readonly string[] | undefined,
): SubresourceDescriptor {
  return {
    apiVersion: formatApiVersion(groupVersion),
    kind: kind || parentKind,
    verbs: (verbs ?? []) as Verb[],
  };
}

function descriptorBase(
  home: GroupAndVersion,
  kind: string,
  plural: string,
  verbs: readonly string[] | undefined,
) {
  return {
    ...home,
    apiVersion: formatApiVersion(home),
    kind,
    listKind: `${kind}List`,
    plural,
    verbs: (verbs ?? []) as Verb[],
    // A discovered kind may be custom or aggregated; JSON is the only encoding that all of them support.
    protobuf: false,
  };
}

/**
 * Reads the descriptors from an APIResourceList, the older form: one group-version, with subresources such as
 * `pods/status` listed among the resources.
 *
 * @throws {KubeError} `Decode` for fields of the wrong type.
 */
export function fromResourceList(home: GroupAndVersion, list: unknown): ResourceDescriptor[] {
  const { resources = [] } = discoveryDocument("resourceList", list);
  return resources
    .filter(({ name }) => !name.includes("/") && isUsable(home, name))
    .map((resource) => ({
      ...descriptorBase(home, resource.kind, resource.name, resource.verbs),
      singular: resource.singularName || resource.kind.toLowerCase(),
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      scope: resource.namespaced ? ("Namespaced" as const) : ("Cluster" as const),
      subresources: Object.fromEntries(
        resources
          .filter(({ name }) => name.startsWith(`${resource.name}/`) && isUsable(home, name))
          .map((sub) => [
            sub.name.slice(resource.name.length + 1),
            // An empty group or version is that of the list.
            subresource(
              { group: sub.group || home.group, version: sub.version || home.version },
              resource.kind,
              sub.kind,
              sub.verbs,
            ),
          ]),
      ),
    }));
}
