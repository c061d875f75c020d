import { forbidden } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import type { Write } from "../phases/write/write.js";
import type { Store } from "../store/store.js";

const storage = "priorityclasses.scheduling.k8s.io";

/** Returns the default PriorityClass: of several, which only old or concurrent writes can make, the lowest one. */
export function defaultPriorityClass(store: Pick<Store, "collection">): ApiObject | undefined {
  const classes = store.collection(storage);
  let lowest: ApiObject | undefined;
  for (const [, one] of classes.size === 0 ? [] : classes.entries("")) {
    if (one["globalDefault"] === true && !(priorityOf(lowest) <= priorityOf(one))) {
      lowest = one;
    }
  }
  return lowest;
}

function priorityOf(one: ApiObject | undefined): number {
  return Number(one?.["value"] ?? Number.NaN);
}

/** @throws {StatusError} 403 for a PriorityClass that would be the second default. */
export function assertOneDefault({ server, request }: Write, object: ApiObject): void {
  if (request.resource.storage !== storage || object["globalDefault"] !== true) {
    return;
  }
  const known = defaultPriorityClass(server.store)?.metadata.name;
  const name = object.metadata.name ?? "";
  if (known !== undefined && known !== name) {
    throw forbidden(
      request.resource,
      name,
      `PriorityClass ${known} is already marked as default. Only one default can exist`,
    );
  }
}
