import { randomUid, seededRandom } from "../control/random.js";
import { type ServerContext, timestamp } from "../server-context.js";
import { type JsonObject, mapValues } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { ownApiServices } from "./api-services.js";
import { configMaps } from "./config-maps.js";
import { withAggregatedRules } from "./default-access.js";
import type { FreshCollection, FreshObject } from "./fresh-object.js";
import { accessCollections } from "./generated/access.js";
import { clusterCollections } from "./generated/cluster.js";
import { flowControlCollections } from "./generated/flow-control.js";

/** Makes the UIDs of these objects independent of all others, which do not change when this list does. */
const uidSeed = 0x5eed;

/**
 * Creates the objects that every cluster has from its start, as far as their kinds are served: roles and bindings,
 * flow control, priority classes, the server's own Service, its APIServices. They are made when they are first read.
 *
 * @param seed - of the server; the UIDs follow from it.
 */
export function createFreshCluster(server: ServerContext, seed: number): void {
  const { store, registry, clock, version } = server;
  const now = timestamp(clock);
  const collections: readonly FreshCollection[] = [
    ...clusterCollections,
    configMaps(now, version),
    ...flowControlCollections,
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

/** The object with the time in the place of `$now`. */
function stamped<T>(value: T, now: string): T {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => stamped(one, now)) as T;
  }
  if (typeof value === "object" && value !== null) {
    return mapValues(value as JsonObject, (one) => stamped(one, now)) as T;
  }
  return (value === "$now" ? now : value) as T;
}
