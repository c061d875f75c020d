import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf } from "../../../objects/parts.js";
import {
  isUnset,
  validateItems,
  validateQualifiedName,
  validateUnique,
  validateUniqueKeys,
} from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";

/** Appends the field errors of a StorageClass. */
export function validateStorageClass(object: ApiObject, errors: FieldErrors): void {
  const { provisioner, parameters } = object;
  if (!isUnset(provisioner)) {
    validateQualifiedName(String(provisioner).toLowerCase(), "provisioner", errors);
  }
  if (Object.hasOwn(mapOf(parameters), "")) {
    errors.push(cause.invalid("parameters", "", "field can not be empty."));
  }
  validateFields("storage/v1.StorageClass", object, "", errors);
  validateTerms(objectsOf(object["allowedTopologies"]), "allowedTopologies", errors);
}

/** Checks allowed topologies: each term must be non-empty and unique. */
function validateTerms(terms: readonly JsonObject[], path: string, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [at, term] of terms.entries()) {
    const place = `${path}[${at}].matchLabelExpressions`;
    const expressions = objectsOf(term["matchLabelExpressions"]);
    const pairs = expressions.map(({ key, values }) => [key, [...stringsOf(values)].sort()]);
    const identity = JSON.stringify(pairs.sort());
    validateItems(expressions, validateTopology, place, errors);
    validateUniqueKeys(expressions, "key", place, errors);
    if (expressions.length === 0 || seen.has(identity)) {
      errors.push(cause.duplicate(place, ""));
    }
    seen.add(identity);
  }
}

function validateTopology({ key, values }: JsonObject, path: string, errors: FieldErrors): void {
  const given = stringsOf(values);
  if (given.length === 0) {
    errors.push(cause.required(`${path}.values`));
  }
  validateUnique(given, (at) => `${path}.values[${at}]`, errors);
  validateQualifiedName(key, `${path}.key`, errors);
}
