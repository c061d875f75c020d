import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { labelValue, qualifiedName, subdomain } from "../../phases/validate/old-checks.js";

/** Returns the field errors of a required node selector; it may be absent. */
export function validateNodeSelector(selector: unknown, field: string): FieldErrors {
  if (!isJsonObject(selector)) {
    return [];
  }
  const terms = objectsOf(selector["nodeSelectorTerms"]);
  return terms.length === 0
    ? [cause.required(`${field}.nodeSelectorTerms`, "must have at least one node selector term")]
    : terms.flatMap((term, at) => validateNodeTerm(term, `${field}.nodeSelectorTerms[${at}]`));
}

/**
 * Returns the field errors of a node selector term.
 *
 * @param checksValues - `true` to reject invalid label values, which preferred terms may have. Default true.
 */
export function validateNodeTerm(term: unknown, field: string, checksValues = true): FieldErrors {
  const { matchExpressions, matchFields } = mapOf(term);
  return [
    ...objectsOf(matchExpressions).flatMap((one, at) =>
      labelRequirement(one, `${field}.matchExpressions[${at}]`, checksValues),
    ),
    ...objectsOf(matchFields).flatMap((one, at) =>
      fieldRequirement(one, `${field}.matchFields[${at}]`),
    ),
  ];
}

function labelRequirement(
  { key, operator, values }: JsonObject,
  field: string,
  checksValues: boolean,
): FieldErrors {
  const given = stringsOf(values);
  return [
    ...validateOperator(operator, given, field),
    ...qualifiedName(`${field}.key`, String(key ?? "")),
    ...(checksValues ? given : []).flatMap((value, at) =>
      labelValue(`${field}.values[${at}]`, value),
    ),
  ];
}

function validateOperator(
  operator: unknown,
  values: readonly string[],
  field: string,
): FieldErrors {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [
            cause.required(
              `${field}.values`,
              "must be specified when `operator` is 'In' or 'NotIn'",
            ),
          ];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [
            cause.forbidden(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    case "Gt":
    case "Lt":
      return values.length === 1
        ? []
        : [
            cause.required(
              `${field}.values`,
              "must be specified single value when `operator` is 'Lt' or 'Gt'",
            ),
          ];
    default:
      return [invalidOperator(operator, field)];
  }
}

/** Checks a field requirement. Nodes can be selected by one field only. */
function fieldRequirement({ key, operator, values }: JsonObject, field: string): FieldErrors {
  const given = stringsOf(values);
  const isKnown = operator === "In" || operator === "NotIn";
  const wrong = !isKnown
    ? [invalidOperator(operator, field)]
    : given.length === 1
      ? []
      : [
          cause.required(
            `${field}.values`,
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
          ),
        ];
  return [
    ...wrong,
    ...(key === "metadata.name"
      ? given.flatMap((value, at) => subdomain(`${field}.values[${at}]`, value))
      : [cause.invalid(`${field}.key`, key ?? "", "not a valid field selector key")]),
  ];
}

function invalidOperator(operator: unknown, field: string) {
  return cause.invalid(`${field}.operator`, operator ?? "", "not a valid selector operator");
}
