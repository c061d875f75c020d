import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type DescribedCondition, describedCondition } from "./object-condition.js";
import { condition, conditionFields, hasCondition, seenCondition } from "./status-condition.js";

/** Waits until the object exists. */
export function exists(): DescribedCondition {
  return describedCondition(
    "exists()",
    [],
    (object) => object !== undefined,
    () => "its object",
  );
}

/**
 * Waits until the object is gone.
 *
 * @param uid - uid of the object to wait for; another object under the same name then counts as its deletion. Default:
 * any object of the name.
 */
export function deleted(uid?: string): DescribedCondition {
  return describedCondition(
    "deleted()",
    ["metadata.finalizers"],
    (object) => object === undefined || (uid !== undefined && object.metadata.uid !== uid),
    ({ metadata: { deletionTimestamp, finalizers = [] } }) => {
      const holders =
        finalizers.length > 0 ? `finalizers ${finalizers.join(", ")}` : "no finalizer";
      return deletionTimestamp === undefined ? "no deletion requested" : holders;
    },
  );
}

/** Waits for the condition `Ready` of a Pod, a Node or most custom resources. */
export function ready(): DescribedCondition {
  return condition("Ready");
}

/** Waits for the condition `Available` of a Deployment or an APIService. */
export function available(): DescribedCondition {
  return condition("Available");
}

/**
 * Waits for the condition `Complete` of a Job.
 *
 * @throws {KubeError} `NeverMet`, from the wait, as soon as the Job has failed: it can't complete after that.
 */
export function complete(): DescribedCondition {
  return eitherEnd("Complete", "Failed");
}

/**
 * Waits for the condition `Failed` of a Job.
 *
 * @throws {KubeError} `NeverMet`, from the wait, as soon as the Job is complete.
 */
export function failed(): DescribedCondition {
  return eitherEnd("Failed", "Complete");
}

/** Waits for one of two mutually exclusive final conditions. */
function eitherEnd(wanted: string, other: string): DescribedCondition {
  return describedCondition(
    `condition ${wanted}=True`,
    conditionFields,
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
