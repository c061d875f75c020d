import type { Write } from "../../context/write.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { asVersion } from "../../resources/versions/object-versions.js";

/**
 * Stores an object and returns it in the requested version. Converts first, so that a pending conversion aborts before
 * the write.
 *
 * @param charge - charges the quotas.
 */
export function storeObject(
  { server, request: { resource } }: Write,
  key: string,
  stored: ApiObject,
  charge: () => void,
): ApiObject {
  asVersion(stored, resource);
  charge();
  return asVersion(server.store.put(resource.storage, key, stored), resource);
}

/** Returns whether an object that is being deleted can be removed now. */
export function isFinished(object: ApiObject, strategy: KindStrategy = {}): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds === 0 &&
    finalizers.length === 0 &&
    (strategy.finalizers?.(object).length ?? 0) === 0
  );
}
