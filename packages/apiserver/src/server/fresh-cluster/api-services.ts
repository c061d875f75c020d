import type { ServerContext } from "../../context/server-context.js";
import { groupVersionPriorities } from "../../generated/group-priorities.js";
import { randomUid, seededRandom } from "../../objects/random.js";
import { timestamp } from "../../objects/timestamp.js";
import type { ResourceRegistry } from "../../resources/resource-registry.js";
import type { FreshCollection, FreshObject } from "./fresh-object.js";

const [apiVersion, kind] = ["apiregistration.k8s.io/v1", "APIService"];
const storage = "apiservices.apiregistration.k8s.io";
const automanaged = "kube-aggregator.kubernetes.io/automanaged";

/** Priorities of custom resources (kube-apiserver's crdRegistrationController). */
const customPriorities = { groupPriorityMinimum: 1_000, versionPriority: 100 };

/** Returns the APIServices of the group-versions that a server serves at startup. */
export function ownApiServices(registry: ResourceRegistry): FreshCollection {
  const served = groupVersions(registry);
  return {
    apiVersion,
    kind,
    count: served.length,
    objects: () => served.map(([group, version]) => apiService(group, version, "$now")),
  };
}

/**
 * Creates missing APIServices for the group-versions served now, and removes those of custom resources that are no
 * longer served.
 */
export function publishApiServices({ store, registry, clock }: ServerContext): void {
  if (registry.find("apiregistration.k8s.io", "v1", "apiservices") === undefined) {
    return;
  }
  const collection = store.collection(storage);
  const served = new Set<string>();
  for (const [group, version] of groupVersions(registry)) {
    const name = `${version}.${group}`;
    served.add(name);
    if (collection.get(name) === undefined) {
      const now = timestamp(clock);
      const { metadata, ...rest } = apiService(group, version, now);
      // Use a separate random source, so that UIDs and names of other objects don't change.
      const uid = randomUid(seededRandom(Number(store.revision)));
      store.put(storage, name, { ...rest, metadata: { ...metadata, uid, creationTimestamp: now } });
    }
  }
  for (const [name, { metadata }] of collection.entries("")) {
    if (metadata.labels?.[automanaged] === "true" && !served.has(name)) {
      store.remove(storage, name);
    }
  }
}

/** Returns all served group-versions except that of APIServices, which the aggregator serves. */
function groupVersions({
  groups,
}: ResourceRegistry): (readonly [group: string, version: string])[] {
  return [...groups].flatMap(([group, versions]) =>
    group === "apiregistration.k8s.io" ? [] : versions.map((version) => [group, version] as const),
  );
}

function apiService(group: string, version: string, now: string): FreshObject {
  const builtIn = priorityOf(group, version);
  const { groupPriorityMinimum, versionPriority } = builtIn ?? customPriorities;
  return {
    kind,
    apiVersion,
    metadata: {
      name: `${version}.${group}`,
      labels: { [automanaged]: builtIn === undefined ? "true" : "onstart" },
    },
    spec: {
      ...(group === "" ? {} : { group }),
      version,
      groupPriorityMinimum,
      versionPriority,
    },
    status: {
      conditions: [
        {
          type: "Available",
          status: "True",
          lastTransitionTime: now,
          reason: "Local",
          message: "Local APIServices are always available",
        },
      ],
    },
  };
}

function priorityOf(
  group: string,
  version: string,
): (typeof groupVersionPriorities)[number] | undefined {
  return groupVersionPriorities.find((one) => one.group === group && one.version === version);
}
