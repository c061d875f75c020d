import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf } from "../../../objects/parts.js";
import { isUnset, validateItems, validateOneOf } from "../../../phases/validate/checks.js";
import { fieldsCheck } from "../../fields/validate-fields.js";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

const operators = ["In", "NotIn"];

/** Appends the field errors of a Job's pod failure policy. */
export function validateFailurePolicy(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { podFailurePolicy: policy, template } = spec;
  if (!isJsonObject(policy)) {
    return;
  }
  const pod = mapOf(mapOf(template)["spec"]);
  const containers = ["containers", "initContainers"].flatMap((list) =>
    objectsOf(pod[list]).map(({ name }) => name),
  );
  const isPerIndex = !isUnset(spec["backoffLimitPerIndex"]);
  for (const [at, rule] of objectsOf(policy["rules"]).entries()) {
    validateRule(rule, `${path}.rules[${at}]`, errors, { containers, isPerIndex });
  }
}

/** Facts about a Job that its rules depend on. */
interface RuleSurroundings {
  /** Names of the containers of the pod template. */
  readonly containers: readonly unknown[];
  readonly isPerIndex: boolean;
}

function validateRule(
  { action, onExitCodes, onPodConditions }: JsonObject,
  path: string,
  errors: FieldErrors,
  { containers, isPerIndex }: RuleSurroundings,
): void {
  const conditions = objectsOf(onPodConditions);
  const hasCodes = isJsonObject(onExitCodes);
  validateWord(action, actions, `${path}.action`, errors);
  if (action === "FailIndex" && !isPerIndex) {
    const why = "requires the backoffLimitPerIndex to be set";
    errors.push(cause.invalid(`${path}.action`, action, why));
  }
  if (hasCodes) {
    validateExitCodes(onExitCodes, `${path}.onExitCodes`, errors, containers);
  }
  validateItems(
    conditions,
    fieldsCheck("batch/v1.PodFailurePolicyOnPodConditionsPattern"),
    `${path}.onPodConditions`,
    errors,
  );
  if (hasCodes && conditions.length > 0) {
    errors.push(unshown(path, "specifying both OnExitCodes and OnPodConditions is not supported"));
  }
  if (!hasCodes && conditions.length === 0) {
    errors.push(unshown(path, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
}

/** Returns an Invalid error that does not show the value. */
function unshown(path: string, why: string) {
  return { ...cause.invalid(path, "", why), message: `Invalid value: ${why}` };
}

function validateWord(
  value: unknown,
  words: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(value)) {
    const list = words.map((word) => `"${word}"`).join(" ");
    errors.push(cause.required(path, `valid values: [${list}]`));
  } else {
    validateOneOf(value, words, path, errors);
  }
}

function validateExitCodes(
  { containerName, operator, values }: JsonObject,
  path: string,
  errors: FieldErrors,
  containers: readonly unknown[],
): void {
  const given: unknown[] = Array.isArray(values) ? values : [];
  validateWord(operator, operators, `${path}.operator`, errors);
  if (
    containerName !== undefined &&
    containerName !== null &&
    !containers.includes(containerName)
  ) {
    const why = "must be one of the container or initContainer names in the pod template";
    errors.push(cause.invalid(`${path}.containerName`, containerName, why));
  }
  if (given.length === 0) {
    errors.push(cause.invalid(`${path}.values`, values ?? null, "at least one value is required"));
  }
  for (const [at, value] of given.entries()) {
    const place = `${path}.values[${at}]`;
    if (given.indexOf(value) < at) {
      errors.push(cause.duplicate(place, value));
    } else if (operator === "In" && value === 0) {
      errors.push(cause.invalid(place, 0, "must not be 0 for the In operator"));
    }
  }
  if (given.some((value, at) => at > 0 && !(Number(given[at - 1]) <= Number(value)))) {
    errors.push(cause.invalid(`${path}.values`, given, "must be ordered"));
  }
}
