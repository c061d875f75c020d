import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  validateItems,
  validateLabels,
  validateLabelValue,
  validateQualifiedName,
} from "../../phases/validate/checks.js";

/** Appends the field errors of a label selector. */
export function validateSelector(selector: unknown, path: string, errors: FieldErrors): void {
  const { matchLabels, matchExpressions } = mapOf(selector);
  validateLabels(matchLabels, `${path}.matchLabels`, errors);
  validateItems(
    objectsOf(matchExpressions),
    validateExpression,
    `${path}.matchExpressions`,
    errors,
  );
}

function validateExpression(
  { key, operator, values }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  validateOperator(operator, values, path, errors);
  validateQualifiedName(key, `${path}.key`, errors);
  validateItems(stringsOf(values), validateLabelValue, `${path}.values`, errors);
}

/** Appends the field errors of a set-based operator: it must have the values that it needs, and no others. */
export function validateOperator(
  operator: unknown,
  values: unknown,
  path: string,
  errors: FieldErrors,
): void {
  const hasValues = Array.isArray(values) && values.length > 0;
  switch (operator) {
    case "In":
    case "NotIn":
      if (!hasValues) {
        const why = "must be specified when `operator` is 'In' or 'NotIn'";
        errors.push(cause.required(`${path}.values`, why));
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (hasValues) {
        const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        errors.push(cause.forbidden(`${path}.values`, why));
      }
      break;
    default:
      errors.push(cause.invalid(`${path}.operator`, operator, "not a valid selector operator"));
  }
}

/** Returns whether a selector is empty, which would match everything. */
export function isEmptySelector(selector: unknown): boolean {
  return jsonEqual(mapOf(selector), {}) || selectorParts(selector) === 0;
}

function selectorParts(selector: unknown): number {
  const { matchLabels, matchExpressions } = mapOf(selector);
  return Object.keys(mapOf(matchLabels)).length + objectsOf(matchExpressions).length;
}
