import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { appendInvalid, isUnset } from "../../phases/validate/checks.js";
import { labelValueTexts } from "../../phases/validate/name-texts.js";
import { fieldValidator } from "../fields/validate-fields.js";

/** Appends the field errors of a toleration. */
export function validateToleration(one: JsonObject, path: string, errors: FieldErrors): void {
  const { key, operator = "", value, effect, tolerationSeconds } = one;
  const isAll = isUnset(key);
  const validate = fieldValidator("core/v1.Toleration", one, path, errors);
  validate("key");
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
  validate("operator", "effect");
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
