import type { StatusCause } from "@typekube/core";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { selectsLabels } from "../../objects/selects.js";
import { validateOneOf } from "../../phases/validate/checks.js";
import { isEmptySelector, validateSelector } from "../fields/selectors.js";
import { validateTemplate } from "../pod-spec/validate-pod-spec.js";

/** Differences between the workload kinds. */
export interface WorkloadKind {
  /** Kind named in the error about an empty selector. */
  readonly selectorOf: string;
  /** Kind named in the error about an active deadline of its pods. */
  readonly deadlineOf: string;
  /** `false` to report only that a missing selector does not match. Default true. */
  readonly needsSelector?: false;
  /** Returns the error about an invalid selector, in addition to those about its parts. Default: none. */
  readonly selectorError?: (selector: unknown) => StatusCause;
}

/**
 * Appends the field errors of the selector and template of a Deployment, ReplicaSet, DaemonSet or StatefulSet.
 *
 * @param template - template to validate; `undefined` to validate only its labels and the fields fixed by the kind.
 */
export function validateWorkload(
  kind: WorkloadKind,
  spec: JsonObject,
  template: unknown,
  errors: FieldErrors,
): void {
  const { metadata, spec: podSpec } = mapOf(spec["template"]);
  const { labels } = mapOf(metadata);
  if (
    validateWorkloadSelector(kind, spec["selector"], errors) &&
    !selectsLabels(spec["selector"], labels)
  ) {
    errors.push(labelMismatch(labels));
  }
  if (template !== undefined) {
    validateTemplate(template, "spec.template", errors);
  }
  const { restartPolicy, activeDeadlineSeconds } = mapOf(podSpec);
  validateOneOf(restartPolicy, ["Always"], "spec.template.spec.restartPolicy", errors);
  if (activeDeadlineSeconds !== undefined) {
    const why = `activeDeadlineSeconds in ${kind.deadlineOf} is not Supported`;
    errors.push(cause.forbidden("spec.template.spec.activeDeadlineSeconds", why));
  }
}

/** Returns the error about a selector that does not match the labels of the template. */
export function labelMismatch(labels: unknown): StatusCause {
  const why = "`selector` does not match template `labels`";
  return cause.invalid("spec.template.metadata.labels", labels ?? null, why);
}

/** Appends the field errors of a workload's selector; returns false if its parts are invalid. */
function validateWorkloadSelector(
  { selectorOf, needsSelector, selectorError }: WorkloadKind,
  selector: unknown,
  errors: FieldErrors,
): boolean {
  if (!isJsonObject(selector)) {
    if (needsSelector !== false) {
      errors.push(cause.required("spec.selector"));
    }
    return true;
  }
  const count = errors.length;
  validateSelector(selector, "spec.selector", errors);
  const isValid = errors.length === count;
  if (isEmptySelector(selector)) {
    errors.push(cause.invalid("spec.selector", {}, `empty selector is invalid for ${selectorOf}`));
  }
  if (!isValid && selectorError !== undefined) {
    errors.push(selectorError(selector));
  }
  return isValid;
}

/** Returns the error about an invalid selector of a Deployment or ReplicaSet. */
export function invalidSelector(selector: unknown): StatusCause {
  return cause.invalid("spec.selector", selector, "invalid label selector");
}
