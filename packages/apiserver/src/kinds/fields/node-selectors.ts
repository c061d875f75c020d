import type { StatusCause } from "@typekube/core";
import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  validateItems,
  validateLabelValue,
  validateQualifiedName,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { validateOperator } from "./selectors.js";

/** Appends the field errors of a required node selector; it may be absent. */
export function validateNodeSelector(selector: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(selector)) {
    return;
  }
  const terms = objectsOf(selector["nodeSelectorTerms"]);
  if (terms.length === 0) {
    const why = "must have at least one node selector term";
    errors.push(cause.required(`${path}.nodeSelectorTerms`, why));
  }
  validateItems<unknown>(terms, validateNodeTerm, `${path}.nodeSelectorTerms`, errors);
}

/**
 * Appends the field errors of a node selector term.
 *
 * @param checksValues - `true` to reject invalid label values, which preferred terms may have. Default true.
 */
export function validateNodeTerm(
  term: unknown,
  path: string,
  errors: FieldErrors,
  checksValues = true,
): void {
  const { matchExpressions, matchFields } = mapOf(term);
  for (const [at, one] of objectsOf(matchExpressions).entries()) {
    validateLabelRequirement(one, `${path}.matchExpressions[${at}]`, errors, checksValues);
  }
  validateItems(objectsOf(matchFields), validateFieldRequirement, `${path}.matchFields`, errors);
}

function validateLabelRequirement(
  { key, operator, values }: JsonObject,
  path: string,
  errors: FieldErrors,
  checksValues: boolean,
): void {
  const given = stringsOf(values);
  validateNodeOperator(operator, given, path, errors);
  validateQualifiedName(key, `${path}.key`, errors);
  validateItems(checksValues ? given : [], validateLabelValue, `${path}.values`, errors);
}

function validateNodeOperator(
  operator: unknown,
  values: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (operator !== "Gt" && operator !== "Lt") {
    validateOperator(operator ?? "", values, path, errors);
  } else if (values.length !== 1) {
    const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    errors.push(cause.required(`${path}.values`, why));
  }
}

/** Checks a field requirement. Nodes can be selected by one field only. */
function validateFieldRequirement(
  { key, operator, values }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const given = stringsOf(values);
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalidOperator(operator, path));
  } else if (given.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(cause.required(`${path}.values`, why));
  }
  if (key === "metadata.name") {
    validateItems(given, validateSubdomain, `${path}.values`, errors);
  } else {
    errors.push(cause.invalid(`${path}.key`, key ?? "", "not a valid field selector key"));
  }
}

function invalidOperator(operator: unknown, path: string): StatusCause {
  return cause.invalid(`${path}.operator`, operator ?? "", "not a valid selector operator");
}

/** Formats a node selector term like Go. */
export function goTerm(term: unknown): JsonObject {
  const shown = (list: string) => {
    const requirements = objectsOf(mapOf(term)[list]).map(({ key, operator, values }) => ({
      Key: key ?? "",
      Operator: operator ?? "",
      Values: values ?? null,
    }));
    return requirements.length === 0 ? null : requirements;
  };
  return { MatchExpressions: shown("matchExpressions"), MatchFields: shown("matchFields") };
}
