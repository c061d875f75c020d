import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, jsonEqual, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { labels, labelValue, qualifiedName } from "../../phases/validate/old-checks.js";

/** Returns the field errors of a label selector. */
export function validateSelector(selector: unknown, field: string): FieldErrors {
  const { matchLabels, matchExpressions } = mapOf(selector);
  return [
    ...labels(`${field}.matchLabels`, matchLabels),
    ...objectsOf(matchExpressions).flatMap((one, at) => [
      ...validateExpression(one, `${field}.matchExpressions[${at}]`),
      ...stringsOf(one["values"]).flatMap((value, valueAt) =>
        labelValue(`${field}.matchExpressions[${at}].values[${valueAt}]`, value),
      ),
    ]),
  ];
}

function validateExpression({ key, operator, values }: JsonObject, field: string): FieldErrors {
  const name = qualifiedName(`${field}.key`, String(key ?? ""));
  const hasValues = Array.isArray(values) && values.length > 0;
  switch (operator) {
    case "In":
    case "NotIn":
      return hasValues
        ? name
        : [
            cause.required(
              `${field}.values`,
              "must be specified when `operator` is 'In' or 'NotIn'",
            ),
            ...name,
          ];
    case "Exists":
    case "DoesNotExist":
      return hasValues
        ? [
            cause.forbidden(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
            ...name,
          ]
        : name;
    default:
      return [
        cause.invalid(`${field}.operator`, operator, "not a valid selector operator"),
        ...name,
      ];
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

/** Returns whether a selector matches labels. */
export function selects(selector: unknown, given: unknown): boolean {
  const has = mapOf(given);
  const { matchLabels, matchExpressions } = mapOf(selector);
  return (
    isJsonObject(selector) &&
    Object.entries(mapOf(matchLabels)).every(([key, value]) => has[key] === value) &&
    objectsOf(matchExpressions).every(({ key, operator, values }) => {
      const value = has[String(key)];
      switch (operator) {
        case "In":
          return typeof value === "string" && stringsOf(values).includes(value);
        case "NotIn":
          return typeof value !== "string" || !stringsOf(values).includes(value);
        case "Exists":
          return value !== undefined;
        default:
          return value === undefined;
      }
    })
  );
}
