import type { ResourceDescriptor } from "@typekube/api";
import { formatApiVersion, KubeError } from "@typekube/core";
import { fromAggregated } from "./api-resources.js";
import { type AggregatedDiscovery, discoveryDocument } from "./discovery-document.js";

import { compareApiVersions } from "./version-order.js";

/** A group and the versions that a server serves of it. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}

/** A group-version of which a server could not tell what is in it. */
export interface FailedGroup {
  readonly apiVersion: string;
  readonly error: KubeError;
}

/** What a server serves. */
export interface ServedApi {
  readonly groups: readonly ServedGroup[];
  /** In the order of the server; of each group the preferred version first. */
  readonly resources: readonly DiscoveredResource[];
  /** What is missing in `resources`: an aggregated API server that does not answer, say. The rest is whole. */
  readonly failed: readonly FailedGroup[];
}

/** A resource that a server told of. Which kind of objects it has, the compiler cannot know. */
export interface DiscoveredResource extends ResourceDescriptor {
  readonly [discovered]: true;
}

declare const discovered: unique symbol;

/** What one of the two roots of discovery says, in whichever form. */
export interface RootResponse extends ServedApi {
  /** Whether `resources` is everything; in the older form each group-version has to be asked for. */
  readonly isWhole: boolean;
}

/**
 * Reads the answer of `/api` or `/apis`.
 *
 * @throws {KubeError} `Decode` for fields of another type.
 */
export function readRoot(response: unknown): RootResponse {
  const { kind } = (response ?? {}) as { readonly kind?: unknown };
  if (kind === "APIGroupDiscoveryList") {
    return fromAggregatedRoot(discoveryDocument("aggregated", response));
  }
  const { versions = [], groups = [] } = discoveryDocument("root", response);
  const core = versions.length > 0 ? [groupOf("", versions)] : [];
  const named = groups.map(({ name, versions: of = [], preferredVersion }) =>
    groupOf(
      name,
      of.map(({ version }) => version),
      preferredVersion?.version,
    ),
  );
  return { groups: [...core, ...named], resources: [], failed: [], isWhole: false };
}

function fromAggregatedRoot(response: AggregatedDiscovery): RootResponse {
  const items = response.items ?? [];
  return {
    groups: items.map(({ metadata, versions = [] }) => {
      const names = versions.map(({ version }) => version);
      return groupOf(metadata?.name ?? "", names, names[0]);
    }),
    resources: fromAggregated(response) as DiscoveredResource[],
    failed: items.flatMap(({ metadata, versions = [] }) =>
      versions
        .filter(({ freshness }) => freshness === "Stale")
        .map(({ version }) =>
          staleGroup(formatApiVersion({ group: metadata?.name ?? "", version })),
        ),
    ),
    isWhole: true,
  };
}

function staleGroup(apiVersion: string): FailedGroup {
  const error = new KubeError(
    "ServiceUnavailable",
    `the API server cannot list the resources of ${apiVersion} at the moment`,
    { hint: "an aggregated API server serves it; see the status of its APIService" },
  );
  return { apiVersion, error };
}

function groupOf(name: string, versions: readonly string[], preferred?: string): ServedGroup {
  const sorted = [...versions].sort(compareApiVersions);
  const preferredVersion = preferred || sorted[0] || "";
  const rest = preferred === undefined ? sorted : versions;
  return {
    name,
    versions: [preferredVersion, ...rest.filter((version) => version !== preferredVersion)],
    preferredVersion,
  };
}
