import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { objectsOf } from "../../../objects/parts.js";
import { type Check, isUnset, validateItems } from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";
import { countOf, indexText } from "./job-indexes.js";

/** Appends the field errors of an indexed Job's success policy. */
export function validateSuccessPolicy(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { successPolicy: policy, completionMode, completions } = spec;
  if (!isJsonObject(policy)) {
    return;
  }
  const rules = objectsOf(policy["rules"]);
  if (completionMode !== "Indexed") {
    const Rules = rules.map(({ succeededIndexes = null, succeededCount = null }) => ({
      SucceededIndexes: succeededIndexes,
      SucceededCount: succeededCount,
    }));
    errors.push(cause.invalid(path, { Rules }, "requires indexed completion mode"));
  } else if (rules.length === 0) {
    const why = "at least one rules must be specified when the successPolicy is specified";
    errors.push(cause.required(`${path}.rules`, why));
  } else {
    const validateRule: Check<JsonObject> = (rule, place, found) =>
      validateSuccessRule(rule, Number(completions ?? 0), place, found);
    validateItems(rules, validateRule, `${path}.rules`, errors);
  }
}

function validateSuccessRule(
  rule: JsonObject,
  completions: number,
  path: string,
  errors: FieldErrors,
): void {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  const isIndexed = typeof indexes === "string";
  const why = isIndexed ? indexText(indexes, completions) : undefined;
  if (!isIndexed && isUnset(count)) {
    const missing = "at least one of succeededCount or succeededIndexes must be specified";
    errors.push(cause.required(path, missing));
  }
  if (why !== undefined) {
    const unreadable = `error parsing succeededIndexes: ${why}`;
    errors.push(cause.invalid(`${path}.succeededIndexes`, indexes, unreadable));
  }
  validateFields("batch/v1.SuccessPolicyRule", rule, path, errors);
  validateAtMost(count, completions, "the number of specified completions", path, errors);
  if (isIndexed) {
    const what = "the number of indexes in the specified succeededIndexes field";
    validateAtMost(count, why === undefined ? countOf(indexes) : 0, what, path, errors);
  }
}

function validateAtMost(
  count: unknown,
  most: number,
  what: string,
  path: string,
  errors: FieldErrors,
): void {
  if (typeof count === "number" && count > most) {
    const why = `must be less than or equal to ${most} (${what})`;
    errors.push(cause.invalid(`${path}.succeededCount`, count, why));
  }
}
