import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import type { DeleteOptions } from "../../request/delete-options.js";
import type { ServedResource } from "../../resources/served-resource.js";

/**
 * Returns the grace period of a deletion in seconds. Only a running pod on a node gets one, for a kubelet to stop it;
 * everything else is deleted at once.
 */
export function gracePeriodOf(
  { storage }: ServedResource,
  object: ApiObject,
  { gracePeriodSeconds }: Pick<DeleteOptions, "gracePeriodSeconds">,
): number {
  const phase = getPath(object, "status", "phase");
  const isRun = (getPath(object, "spec", "nodeName") ?? "") !== "";
  if (storage !== "pods" || !isRun || phase === "Failed" || phase === "Succeeded") {
    return 0;
  }
  const wanted = gracePeriodSeconds ?? getPath(object, "spec", "terminationGracePeriodSeconds");
  return typeof wanted === "number" ? atLeastOne(wanted) : 0;
}

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
function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/** Adds seconds to an API time. */
export function secondsAfter(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Kinds that orphan their dependents by default, for historical reasons. */
const orphaning = new Set(["jobs.batch", "replicationcontrollers"]);

/** Returns the warnings for a delete. */
export function deletionWarnings(
  { storage }: ServedResource,
  { propagationPolicy }: Pick<DeleteOptions, "propagationPolicy">,
): string[] {
  return storage === "jobs.batch" && propagationPolicy === undefined
    ? [
        "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
      ]
    : [];
}

/** Returns the propagation policy for requests that specify none. */
export function policyOf(
  { storage }: ServedResource,
  { metadata }: ApiObject,
): DeleteOptions["propagationPolicy"] {
  const { finalizers = [] } = metadata;
  return orphaning.has(storage) && !finalizers.includes("foregroundDeletion")
    ? "Orphan"
    : undefined;
}
