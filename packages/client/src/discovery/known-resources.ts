import { formatApiVersion } from "@typekube/core";
import type { KindReference } from "../types/kind-reference.js";
import type { DiscoveredResource, FailedGroup, RootResponse, ServedGroup } from "./served-api.js";

/** Discovery data since the last round. */
export interface Known {
  readonly groups: readonly ServedGroup[];
  /** Keyed by apiVersion and plural: several resources of one group-version may share a kind, as in the metrics APIs. */
  readonly resources: Map<string, DiscoveredResource>;
  /** Keys of `resources` whose path the server did not serve when a call used it. */
  readonly doubted: Set<string>;
  readonly failed: Map<string, FailedGroup>;
  /** The group-versions requested in the older form. */
  readonly rounds: Map<string, Promise<void>>;
  /** Group-versions whose resources the roots did not list. */
  readonly undiscovered: readonly string[];
}

/** Returns the discovery data that the roots have listed. */
export function knownFrom(responses: readonly RootResponse[]): Known {
  const resources = responses.flatMap((response) => response.resources);
  const failed = responses.flatMap((response) => response.failed);
  const undiscovered = responses
    .filter(({ isWhole }) => !isWhole)
    .flatMap(({ groups }) => apiVersionsOf(groups));
  return {
    groups: responses.flatMap(({ groups }) => groups),
    resources: new Map(resources.map((resource) => [keyOf(resource), resource])),
    doubted: new Set(),
    failed: new Map(failed.map((one) => [one.apiVersion, one])),
    rounds: new Map(),
    undiscovered,
  };
}

/** Returns the resource of a kind; the first if there are several. */
export function ofKind(
  { resources }: Known,
  { apiVersion, kind }: KindReference,
): DiscoveredResource | undefined {
  for (const one of resources.values()) {
    if (one.kind === kind && one.apiVersion === apiVersion) {
      return one;
    }
  }
  return undefined;
}

/** Returns whether the server did not serve the path of a resource when a call used it. */
export function isDoubted({ doubted }: Known, resource: DiscoveredResource): boolean {
  return doubted.has(keyOf(resource));
}

/** Removes all known data of a group-version. */
export function drop({ resources, doubted }: Known, apiVersion: string): void {
  for (const [key, one] of resources) {
    if (one.apiVersion === apiVersion) {
      resources.delete(key);
      doubted.delete(key);
    }
  }
}

/** Returns the resources in the order of the groups and their versions, which parallel requests do not preserve. */
export function inOrder({ groups, resources }: Known): DiscoveredResource[] {
  const places = apiVersionsOf(groups);
  const placeOf = new Map(places.map((apiVersion, place) => [apiVersion, place]));
  const place = ({ apiVersion }: DiscoveredResource) => placeOf.get(apiVersion) ?? places.length;
  return [...resources.values()].sort((a, b) => place(a) - place(b));
}

/** Returns the key of a resource: several of one group-version may share a kind. */
export function keyOf({ apiVersion, plural }: DiscoveredResource): string {
  return `${apiVersion} ${plural}`;
}

function apiVersionsOf(groups: readonly ServedGroup[]): string[] {
  return groups.flatMap(({ name, versions }) =>
    versions.map((version) => formatApiVersion({ group: name, version })),
  );
}
