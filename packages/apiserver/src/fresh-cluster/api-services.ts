import type { Random } from "@typekube/core";
import { randomUid, seededRandom } from "../control/random.js";
import { type ServerContext, timestamp } from "../server-context.js";
import type { ApiObject } from "../store/stored-object.js";
import type { GroupVersionPriority } from "./fresh-object.js";
import { groupVersionPriorities } from "./generated/api-services.js";

const storage = "apiservices.apiregistration.k8s.io";
const automanaged = "kube-aggregator.kubernetes.io/automanaged";

/** Priorities of custom resources (kube-apiserver's crdRegistrationController). */
const customPriorities = { groupPriorityMinimum: 1_000, versionPriority: 100 };

/**
 * Creates the missing APIServices of the groups and versions that the server serves by itself, and removes those of custom
 * resources that it no longer serves.
 *
 * @param random - makes the UIDs. Default: a source of its own, so that other UIDs and names stay what they are.
 */
export function publishApiServices(
  server: ServerContext,
  random: Random = seededRandom(Number(server.store.revision)),
): void {
  const { store, registry, clock } = server;
  if (registry.find("apiregistration.k8s.io", "v1", "apiservices") === undefined) {
    return;
  }
  const collection = store.collection(storage);
  const served = new Set<string>();
  for (const [group, versions] of registry.groups) {
    for (const version of versions) {
      const name = `${version}.${group}`;
      served.add(name);
      if (group !== "apiregistration.k8s.io" && collection.get(name) === undefined) {
        store.put(storage, name, apiService({ clock, random }, group, version));
      }
    }
  }
  for (const [name, { metadata }] of collection.entries("")) {
    if (metadata.labels?.[automanaged] === "true" && !served.has(name)) {
      store.remove(storage, name);
    }
  }
}

function apiService(
  { clock, random }: Pick<ServerContext, "clock" | "random">,
  group: string,
  version: string,
): ApiObject {
  const now = timestamp(clock);
  const builtIn = priorityOf(group, version);
  const { groupPriorityMinimum, versionPriority } = builtIn ?? customPriorities;
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: {
      name: `${version}.${group}`,
      uid: randomUid(random),
      creationTimestamp: now,
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

function priorityOf(group: string, version: string): GroupVersionPriority | undefined {
  return groupVersionPriorities.find((one) => one.group === group && one.version === version);
}
