import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import {
  appendInvalid,
  isUnset,
  validateOneOf,
  validateQualifiedName,
} from "../../phases/validate/checks.js";
import { labelValueTexts } from "../../phases/validate/name-texts.js";

/** Appends the field errors of a toleration. */
export function validateToleration(one: JsonObject, path: string, errors: FieldErrors): void {
  const { key, operator = "", value, effect, tolerationSeconds } = one;
  const isAll = isUnset(key);
  if (!isAll) {
    validateQualifiedName(key, `${path}.key`, errors);
  }
  if (isAll && operator !== "Exists") {
    const why =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(cause.invalid(`${path}.operator`, operator, why));
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(cause.invalid(`${path}.effect`, effect ?? "", why));
  }
  validateToleratedValue(operator, value, `${path}.operator`, errors);
  validateOneOf(operator, ["Equal", "Exists"], `${path}.operator`, errors);
  validateOneOf(effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"], `${path}.effect`, errors);
}

function validateToleratedValue(
  operator: unknown,
  value: unknown,
  path: string,
  errors: FieldErrors,
): void {
  if (operator === "Exists" && !isUnset(value)) {
    errors.push(cause.invalid(path, value, "value must be empty when `operator` is 'Exists'"));
  }
  if (operator === "" || operator === "Equal") {
    const texts = labelValueTexts(String(value ?? ""));
    appendInvalid(texts.length === 0 ? [] : [texts.join(";")], value, path, errors);
  }
}
