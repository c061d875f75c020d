import type { ServerContext } from "../../context/server-context.js";
import { accessCollections } from "../../generated/access.js";
import { flowControlCollections } from "../../generated/flow-control.js";
import { priorityClassCollections } from "../../generated/priority-classes.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, mapValues } from "../../objects/json-value.js";
import { randomUid, seededRandom } from "../../objects/random.js";
import { timestamp } from "../../objects/timestamp.js";
import { ownApiServices } from "./api-services.js";
import { configMaps } from "./config-maps.js";
import { withAggregatedRules } from "./default-access.js";
import { withReferenceFound } from "./flow-schemas.js";
import type { FreshCollection, FreshObject } from "./fresh-object.js";
import { clusterCollections } from "./generated/cluster.js";

/** Seed that keeps the UIDs of these objects separate, so that changes to them don't affect those of other objects. */
const uidSeed = 0x5eed;

/**
 * Creates the objects that every cluster has initially, as far as their kinds are served: roles and bindings, flow
 * control, priority classes, the server's own Service, its APIServices. They are created on first read.
 *
 * @param seed - seed of the server, from which the UIDs are derived.
 */
export function createFreshCluster(server: ServerContext, seed: number): void {
  const { store, registry, clock, version } = server;
  const now = timestamp(clock);
  const collections: readonly FreshCollection[] = [
    ...priorityClassCollections,
    ...clusterCollections,
    configMaps(now, version),
    ...withReferenceFound(flowControlCollections),
    ...withAggregatedRules(accessCollections),
    ownApiServices(registry),
  ];
  for (const [at, { apiVersion, kind, count, objects }] of collections.entries()) {
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const resource = registry.ofVersion(group, version).find((one) => one.kind === kind);
    if (resource !== undefined) {
      store.prepare(resource.storage, count, () => {
        const random = seededRandom(seed ^ (uidSeed + at));
        return objects().map((object) => stored(object, now, randomUid(random)));
      });
    }
  }
}

function stored(object: FreshObject, now: string, uid: string): ApiObject {
  const { name = "", namespace, ...others } = object.metadata;
  return {
    ...(Object.hasOwn(object, "status") ? stamped(object, now) : object),
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      creationTimestamp: now,
      ...others,
    },
  };
}

/** Replaces `$now` by the time, at any depth. */
function stamped<T>(value: T, now: string): T {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => stamped(one, now)) as T;
  }
  if (typeof value === "object" && value !== null) {
    return mapValues(value as JsonObject, (one) => stamped(one, now)) as T;
  }
  return (value === "$now" ? now : value) as T;
}
