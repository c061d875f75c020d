import { randomUid, seededRandom } from "../control/random.js";
import { type ServerContext, timestamp } from "../server-context.js";
import { type JsonObject, mapValues } from "../store/json-value.js";
import { objectKey } from "../store/store.js";
import { publishApiServices } from "./api-services.js";
import { authenticationMap, tokenTracking } from "./config-maps.js";
import { defaultAccess } from "./default-access.js";
import { clusterObjects } from "./generated/cluster.js";
import { flowControlObjects } from "./generated/flow-control.js";

/** Makes the UIDs of these objects independent of all others, which do not change when this list does. */
const uidSeed = 0x5eed;

/**
 * Creates the objects that every cluster has from its start, as far as their kinds are served: roles and bindings,
 * flow control, priority classes, the server's own Service, its APIServices.
 *
 * @param seed - of the server; the UIDs follow from it.
 */
export function createFreshCluster(server: ServerContext, seed: number): void {
  const { store, registry, clock } = server;
  const random = seededRandom(seed ^ uidSeed);
  const now = timestamp(clock);
  const storages = new Map(
    registry.resources.map(({ descriptor, kind, storage }) => [
      `${descriptor.apiVersion} ${kind}`,
      storage,
    ]),
  );
  const objects = [
    ...clusterObjects,
    ...flowControlObjects,
    ...defaultAccess(),
    authenticationMap(),
    tokenTracking(now),
  ];
  for (const object of objects) {
    const storage = storages.get(`${object.apiVersion} ${object.kind}`);
    if (storage === undefined) {
      continue;
    }
    const { name = "", namespace, ...others } = object.metadata;
    store.put(storage, objectKey(namespace ?? "", name), {
      ...(Object.hasOwn(object, "status") ? stamped(object, now) : object),
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        uid: randomUid(random),
        creationTimestamp: now,
        ...others,
      },
    });
  }
  publishApiServices(server, random);
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
