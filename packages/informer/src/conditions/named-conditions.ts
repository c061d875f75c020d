import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type DescribedCondition, describedCondition } from "./object-condition.js";
import { condition, hasCondition, seenCondition } from "./status-condition.js";

/** Waits until the object is there. */
export function exists(): DescribedCondition {
  return describedCondition(
    "that it exists",
    (object) => object !== undefined,
    () => "itself",
  );
}

/**
 * Waits until the object is gone.
 *
 * @param uid - the object that is meant: another one that has taken its name is as good as none. Default: whatever has the name.
 */
export function deleted(uid?: string): DescribedCondition {
  return describedCondition(
    "that it is deleted",
    (object) => object === undefined || (uid !== undefined && object.metadata.uid !== uid),
    ({ metadata: { deletionTimestamp, finalizers = [] } }) => {
      const holders =
        finalizers.length > 0 ? `finalizers ${finalizers.join(", ")}` : "no finalizer";
      return deletionTimestamp === undefined ? "no deletion asked for" : holders;
    },
  );
}

/** Waits for the condition `Ready`: of a Pod, a Node, most custom resources. */
export function ready(): DescribedCondition {
  return condition("Ready");
}

/** Waits for the condition `Available`: of a Deployment, an APIService. */
export function available(): DescribedCondition {
  return condition("Available");
}

/**
 * Waits for the condition `Complete` of a Job.
 *
 * @throws {KubeError} out of the wait, `NeverMet`, as soon as the Job has failed: it will not complete any more.
 */
export function complete(): DescribedCondition {
  return eitherEnd("Complete", "Failed");
}

/**
 * Waits for the condition `Failed` of a Job.
 *
 * @throws {KubeError} out of the wait, `NeverMet`, as soon as the Job is complete.
 */
export function failed(): DescribedCondition {
  return eitherEnd("Failed", "Complete");
}

/** Waits for one of two ends that exclude each other. */
function eitherEnd(wanted: string, other: string): DescribedCondition {
  return describedCondition(
    `condition ${wanted}=True`,
    (object) => {
      if (object !== undefined && hasCondition(object, other, "True")) {
        throw neverMet(object, wanted, other);
      }
      return object !== undefined && hasCondition(object, wanted, "True");
    },
    (object) => seenCondition(object, wanted),
  );
}

function neverMet(object: Live<KubeObject>, wanted: string, other: string): KubeError {
  const { kind, metadata } = object;
  return new KubeError(
    "NeverMet",
    `${kind} "${metadata.name}" has ${seenCondition(object, other)} and will not become ${wanted}`,
  );
}
