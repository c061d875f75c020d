import type { ApiObject } from "../../objects/api-object.js";
import type { DeleteOptions } from "../../request/delete-options.js";
import type { ServedResource } from "../../resources/served-resource.js";

/** Shortens the grace period of a deletion in progress. It can't be extended: then the object is returned unchanged. */
export function shortened(
  object: ApiObject,
  { gracePeriodSeconds }: Pick<DeleteOptions, "gracePeriodSeconds">,
): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds: before } = object.metadata;
  if (
    gracePeriodSeconds === undefined ||
    deletionTimestamp === undefined ||
    before === undefined ||
    atLeastOne(gracePeriodSeconds) >= before
  ) {
    return object;
  }
  const left = atLeastOne(gracePeriodSeconds);
  const metadata = {
    ...object.metadata,
    deletionTimestamp: secondsAfter(deletionTimestamp, left - before),
    deletionGracePeriodSeconds: left,
  };
  return { ...object, metadata };
}

/** Returns the grace period, where a negative one means one second. */
export function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/** Adds seconds to an API time. */
export function secondsAfter(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Returns the propagation policy for requests that specify none. */
export function policyOf(
  { rules }: ServedResource,
  { metadata }: ApiObject,
): DeleteOptions["propagationPolicy"] {
  const { finalizers = [] } = metadata;
  return rules.orphansDependents && !finalizers.includes("foregroundDeletion")
    ? "Orphan"
    : undefined;
}
