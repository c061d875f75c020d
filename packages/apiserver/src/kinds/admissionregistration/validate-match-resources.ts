import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { validateItems, validateOneOf, validatePathSegment } from "../../phases/validate/checks.js";
import { validateSelector } from "../fields/selectors.js";
import { validateRule } from "./webhook-rules.js";

const matchPolicies = ["Equivalent", "Exact"];

/** Appends the field errors of `matchConstraints` of a policy or `matchResources` of a binding. */
export function validateMatchResources(given: unknown, path: string, errors: FieldErrors): void {
  const { matchPolicy, namespaceSelector, objectSelector, ...lists } = mapOf(given);
  validateOneOf(matchPolicy, matchPolicies, `${path}.matchPolicy`, errors);
  validateSelector(namespaceSelector, `${path}.namespaceSelector`, errors);
  validateSelector(objectSelector, `${path}.objectSelector`, errors);
  for (const name of ["resourceRules", "excludeResourceRules"]) {
    validateItems(objectsOf(lists[name]), validateNamedRule, `${path}.${name}`, errors);
  }
}

function validateNamedRule(rule: JsonObject, path: string, errors: FieldErrors): void {
  const names = stringsOf(rule["resourceNames"]);
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    const place = `${path}.resourceNames[${at}]`;
    validatePathSegment(name, place, errors);
    if (seen.has(name)) {
      errors.push(cause.duplicate(place, name));
    }
    seen.add(name);
  }
  validateRule(rule, path, errors);
}

/** Operations that mutations can take part in: a deletion has no object to change. */
const mutableOperations: readonly string[] = ["*", "CONNECT", "CREATE", "UPDATE"];

/** Appends the field errors of the resources that a mutating policy or its binding matches. */
export function validateMutableResources(given: unknown, path: string, errors: FieldErrors): void {
  validateMatchResources(given, path, errors);
  for (const rule of objectsOf(mapOf(given)["resourceRules"])) {
    for (const operation of stringsOf(rule["operations"])) {
      if (operation === "DELETE") {
        const place = `${path}.resourceRules.operations`;
        errors.push(cause.notSupported(place, operation, mutableOperations));
      }
    }
  }
}

/** Appends the field errors of the required `matchConstraints` of a policy. */
export function validateMatchConstraints(
  given: unknown,
  path: string,
  errors: FieldErrors,
  validate: typeof validateMatchResources = validateMatchResources,
): void {
  if (given === undefined) {
    errors.push(cause.required(path));
    return;
  }
  validate(given, path, errors);
  if (objectsOf(mapOf(given)["resourceRules"]).length === 0) {
    errors.push(cause.required(`${path}.resourceRules`));
  }
}
