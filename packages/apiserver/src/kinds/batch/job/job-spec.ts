import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf } from "../../../objects/parts.js";
import { isUnset, validateGivenOneOf, validateOneOf } from "../../../phases/validate/checks.js";
import { qualifiedNameTexts } from "../../../phases/validate/name-texts.js";
import { fieldValidator } from "../../fields/validate-fields.js";
import { validateTemplate } from "../../pod-spec/validate-pod-spec.js";
import { validateFailurePolicy } from "./failure-policy.js";
import { validateSuccessPolicy } from "./success-policy.js";

/** Appends the field errors of the spec of a Job or of a CronJob's template. */
export function validateJobSpec(spec: JsonObject, path: string, errors: FieldErrors): void {
  const validate = fieldValidator("batch/v1.JobSpec", spec, path, errors);
  const { completionMode, backoffLimitPerIndex, maxFailedIndexes, template } = spec;
  validate("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit");
  validate("ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes");
  if (isUnset(backoffLimitPerIndex) && !isUnset(maxFailedIndexes)) {
    errors.push(
      cause.required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"),
    );
  }
  validateJobManager(spec["managedBy"], `${path}.managedBy`, errors);
  validate("completionMode");
  if (completionMode === "Indexed") {
    validateIndexedJob(spec, path, errors);
  }
  if (completionMode === "NonIndexed") {
    validateUnindexedJob(spec, path, errors);
  }
  validateFailurePolicy(spec, `${path}.podFailurePolicy`, errors);
  validateSuccessPolicy(spec, `${path}.successPolicy`, errors);
  validateGivenOneOf(
    spec["podReplacementPolicy"],
    isJsonObject(spec["podFailurePolicy"]) ? ["Failed"] : ["Failed", "TerminatingOrFailed"],
    `${path}.podReplacementPolicy`,
    errors,
  );
  validateTemplate(template, `${path}.template`, errors);
  validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`, errors);
}

function validateIndexedJob(
  { completions, maxFailedIndexes }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(completions)) {
    errors.push(cause.required(`${path}.completions`, "when completion mode is Indexed"));
  } else if (Number(maxFailedIndexes ?? 0) > Number(completions)) {
    const why = "must be less than or equal to completions";
    errors.push(cause.invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, why));
  }
}

function validateUnindexedJob(spec: JsonObject, path: string, errors: FieldErrors): void {
  for (const key of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
    if (!isUnset(spec[key])) {
      errors.push(cause.invalid(`${path}.${key}`, spec[key], "requires indexed completion mode"));
    }
  }
}

/** Checks that the restart policy lets a Job's pods terminate. */
function validateRestartPolicy(
  { template, podFailurePolicy }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const { restartPolicy } = mapOf(mapOf(template)["spec"]);
  if (restartPolicy === "Always" || isUnset(restartPolicy)) {
    errors.push(cause.required(path, 'valid values: "OnFailure", "Never"'));
    return;
  }
  validateOneOf(restartPolicy, ["OnFailure", "Never"], path, errors);
  if (isJsonObject(podFailurePolicy) && restartPolicy === "OnFailure") {
    const why = 'only "Never" is supported when podFailurePolicy is specified';
    errors.push(cause.invalid(path, restartPolicy, why));
  }
}

const maxManagerLength = 63;

/** Checks `managedBy`, the name of an external Job controller. */
function validateJobManager(manager: unknown, path: string, errors: FieldErrors): void {
  if (manager === undefined || manager === null) {
    return;
  }
  const text = String(manager);
  if (text === "") {
    errors.push(cause.required(path));
    return;
  }
  if (!isDomainPrefixed(text)) {
    const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(cause.invalid(path, text, why));
  }
  if (text.length > maxManagerLength) {
    errors.push(cause.tooLong(path, maxManagerLength));
  }
}

function isDomainPrefixed(text: string): boolean {
  const [domain = "", ...rest] = text.split("/");
  return rest.join("/") !== "" && qualifiedNameTexts(`${domain}/a`).length === 0;
}
