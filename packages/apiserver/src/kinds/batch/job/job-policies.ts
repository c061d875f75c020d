import { collectErrors, type FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf } from "../../../objects/parts.js";
import {
  isUnset,
  validateGivenOneOf,
  validateNotNegative,
  validateOneOf,
  validateQualifiedName,
} from "../../../phases/validate/checks.js";
import { indexText } from "./job-status.js";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];

/** Formats words like a Go list. */
const listed = (words: readonly string[]) =>
  `valid values: [${words.map((word) => `"${word}"`).join(" ")}]`;

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
    validateRule(rule, `${path}.rules[${at}]`, errors, containers, isPerIndex);
  }
}

function validateRule(
  { action, onExitCodes, onPodConditions }: JsonObject,
  path: string,
  errors: FieldErrors,
  containers: readonly unknown[],
  isPerIndex: boolean,
): void {
  const conditions = objectsOf(onPodConditions);
  const hasCodes = isJsonObject(onExitCodes);
  validateWord(action, actions, `${path}.action`, errors);
  if (action === "FailIndex" && !isPerIndex) {
    errors.push(
      cause.invalid(`${path}.action`, action, "requires the backoffLimitPerIndex to be set"),
    );
  }
  if (hasCodes) {
    validateCode(onExitCodes, `${path}.onExitCodes`, errors, containers);
  }
  for (const [at, { type, status }] of conditions.entries()) {
    validateQualifiedName(type, `${path}.onPodConditions[${at}].type`, errors);
    validateOneOf(status, statuses, `${path}.onPodConditions[${at}].status`, errors);
  }
  if (hasCodes && conditions.length > 0) {
    errors.push(unshown(path, "specifying both OnExitCodes and OnPodConditions is not supported"));
  }
  if (!hasCodes && conditions.length === 0) {
    errors.push(unshown(path, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
}

/** Returns an Invalid error that does not show the value. */
function unshown(field: string, why: string) {
  return { ...cause.invalid(field, "", why), message: `Invalid value: ${why}` };
}

function validateWord(
  value: unknown,
  words: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(value)) {
    errors.push(cause.required(path, listed(words)));
  } else {
    validateOneOf(value, words, path, errors);
  }
}

function validateCode(
  { containerName, operator, values }: JsonObject,
  field: string,
  errors: FieldErrors,
  containers: readonly unknown[],
): void {
  const given: unknown[] = Array.isArray(values) ? values : [];
  const isKnown =
    containerName === undefined || containerName === null || containers.includes(containerName);
  const path = `${field}.values`;
  const isOrdered = given.every((value, at) => at === 0 || Number(given[at - 1]) <= Number(value));
  validateWord(operator, operators, `${field}.operator`, errors);
  if (!isKnown) {
    errors.push(
      cause.invalid(
        `${field}.containerName`,
        containerName,
        "must be one of the container or initContainer names in the pod template",
      ),
    );
  }
  if (given.length === 0) {
    errors.push(cause.invalid(path, values ?? null, "at least one value is required"));
  }
  for (const [at, value] of given.entries()) {
    if (given.indexOf(value) < at) {
      errors.push(cause.duplicate(`${path}[${at}]`, value));
    } else if (operator === "In" && value === 0) {
      errors.push(cause.invalid(`${path}[${at}]`, 0, "must not be 0 for the In operator"));
    }
  }
  if (!isOrdered) {
    errors.push(cause.invalid(path, given, "must be ordered"));
  }
}

/** Appends the field errors of an indexed Job's success policy. */
export function validateSuccessPolicy(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { successPolicy: policy, completionMode } = spec;
  if (!isJsonObject(policy)) {
    return;
  }
  const rules = objectsOf(policy["rules"]);
  if (completionMode !== "Indexed") {
    const shown = {
      Rules: rules.map(({ succeededIndexes = null, succeededCount = null }) => ({
        SucceededIndexes: succeededIndexes,
        SucceededCount: succeededCount,
      })),
    };
    errors.push(cause.invalid(path, shown, "requires indexed completion mode"));
    return;
  }
  if (rules.length === 0) {
    errors.push(
      cause.required(
        `${path}.rules`,
        "at least one rules must be specified when the successPolicy is specified",
      ),
    );
    return;
  }
  for (const [at, rule] of rules.entries()) {
    validateSuccessRule(rule, Number(spec["completions"] ?? 0), `${path}.rules[${at}]`, errors);
  }
}

function validateSuccessRule(
  { succeededIndexes, succeededCount }: JsonObject,
  completions: number,
  field: string,
  errors: FieldErrors,
): void {
  const hasIndexes = typeof succeededIndexes === "string";
  const text = hasIndexes ? succeededIndexes : "";
  const why = indexText(text, completions);
  const most: [number, string][] = [
    [completions, "the number of specified completions"],
    ...(hasIndexes
      ? ([
          [
            why === undefined ? countOf(text) : 0,
            "the number of indexes in the specified succeededIndexes field",
          ],
        ] as [number, string][])
      : []),
  ];
  const path = `${field}.succeededCount`;
  if (!hasIndexes && isUnset(succeededCount)) {
    errors.push(
      cause.required(field, "at least one of succeededCount or succeededIndexes must be specified"),
    );
  }
  if (why !== undefined) {
    errors.push(
      cause.invalid(`${field}.succeededIndexes`, text, `error parsing succeededIndexes: ${why}`),
    );
  }
  validateNotNegative(succeededCount, path, errors);
  if (typeof succeededCount === "number") {
    for (const [count, what] of most) {
      if (succeededCount > count) {
        errors.push(
          cause.invalid(path, succeededCount, `must be less than or equal to ${count} (${what})`),
        );
      }
    }
  }
}

/** Counts the indexes in a valid list: `1,3-5` has four. */
function countOf(text: string): number {
  return text === ""
    ? 0
    : text.split(",").reduce((sum, part) => {
        const [first, last = first] = part.split("-").map(Number);
        return sum + Number(last) - Number(first) + 1;
      }, 0);
}

const maxManagerLength = 63;

/** Appends the field errors of `managedBy`, the name of an external Job controller. */
export function validateManager(manager: unknown, field: string, errors: FieldErrors): void {
  if (manager === undefined || manager === null) {
    return;
  }
  const text = String(manager);
  if (text === "") {
    errors.push(cause.required(field));
    return;
  }
  const [domain = "", ...path] = text.split("/");
  const isRight =
    path.length > 0 &&
    path.join("/") !== "" &&
    collectErrors((found) => validateQualifiedName(`${domain}/a`, field, found)).length === 0;
  if (!isRight) {
    errors.push(
      cause.invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")'),
    );
  }
  if (text.length > maxManagerLength) {
    errors.push(cause.tooLong(field, maxManagerLength));
  }
}

/** Appends the field errors of a Job's pod replacement policy: with a pod failure policy only `Failed` is allowed. */
export function validateReplacement(spec: JsonObject, path: string, errors: FieldErrors): void {
  const hasPolicy = isJsonObject(spec["podFailurePolicy"]);
  validateGivenOneOf(
    spec["podReplacementPolicy"],
    hasPolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"],
    path,
    errors,
  );
}
