import type { ResourceDescriptor } from "@typekube/api";
import { formatApiVersion, KubeError } from "@typekube/core";
import { fromAggregated } from "./api-resources.js";
import { type AggregatedDiscovery, discoveryDocument } from "./discovery-document.js";

import { compareApiVersions } from "./version-order.js";

/** An API group and the versions that a server serves. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** Preferred version first. */
  readonly versions: readonly string[];
  /** The version that the server recommends. */
  readonly preferredVersion: string;
}

/** A group-version whose resources a server could not list. */
export interface FailedGroup {
  /** Group and version, such as `metrics.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  /** Reason why the resources are missing. */
  readonly error: KubeError;
}

/** The groups and resources that a server serves. */
export interface ServedApi {
  /** The groups in the order of the server, the core group included. */
  readonly groups: readonly ServedGroup[];
  /** In the order of the server, each group's preferred version first. */
  readonly resources: readonly DiscoveredResource[];
  /**
   * The group-versions missing in `resources`, for example because their aggregated API server does not respond. All
   * others are complete.
   */
  readonly failed: readonly FailedGroup[];
}

/** A resource found by discovery. The compiler does not know its object type. */
export interface DiscoveredResource extends ResourceDescriptor {
  readonly [discovered]: true;
}

declare const discovered: unique symbol;

/** Content of one of the two discovery roots, read from either form. */
export interface RootResponse extends ServedApi {
  /** `true` when `resources` is complete; in the older form each group-version needs a request. */
  readonly isWhole: boolean;
}

/**
 * Reads the response of `/api` or `/apis`.
 *
 * @throws {KubeError} `Decode` for fields of the wrong type.
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
