import type { DeleteOptions } from "../request/delete-options.js";
import type { ServedResource } from "../resources/served-resource.js";
import { getPath } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";

/**
 * How long an object may stay once its deletion is asked for. Only a pod on a node gets time: there somebody has to
 * stop it. Everything else may go at once.
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

/**
 * An object whose deletion has begun, with less time left to it. Nobody can give it more: then it is returned as it is.
 */
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

/** A negative grace period means one second: soon, but not by force. */
function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/** A time of the API, moved. */
export function secondsAfter(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Kinds whose dependents stay where nobody says what is to become of them: so it was when they were new. */
const orphaning = new Set(["jobs.batch", "replicationcontrollers"]);

/** What a delete is warned of. */
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

/** What becomes of what belongs to an object, where the request says nothing of it. */
export function policyOf(
  { storage }: ServedResource,
  { metadata }: ApiObject,
): DeleteOptions["propagationPolicy"] {
  const { finalizers = [] } = metadata;
  return orphaning.has(storage) && !finalizers.includes("foregroundDeletion")
    ? "Orphan"
    : undefined;
}
