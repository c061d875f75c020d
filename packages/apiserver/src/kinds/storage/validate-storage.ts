import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import {
  isUnset,
  validateGivenOneOf,
  validateItems,
  validateOneOf,
  validateQualifiedName,
  validateUnique,
  validateUniqueKeys,
} from "../../phases/validate/checks.js";

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/** Appends the field errors of a StorageClass. */
export function validateStorageClass(object: ApiObject, errors: FieldErrors): void {
  const { provisioner, parameters } = object;
  if (isUnset(provisioner)) {
    errors.push(cause.required("provisioner"));
  } else {
    validateQualifiedName(String(provisioner).toLowerCase(), "provisioner", errors);
  }
  if (isJsonObject(parameters) && Object.hasOwn(parameters, "")) {
    errors.push(cause.invalid("parameters", "", "field can not be empty."));
  }
  validateOneOf(object["reclaimPolicy"], ["Delete", "Retain"], "reclaimPolicy", errors);
  validateGivenOneOf(
    object["volumeBindingMode"],
    ["Immediate", "WaitForFirstConsumer"],
    "volumeBindingMode",
    errors,
  );
  validateTerms(objectsOf(object["allowedTopologies"]), errors);
}

/** Appends the field errors of a VolumeAttributesClass. */
export function validateAttributesClass({ parameters }: ApiObject, errors: FieldErrors): void {
  const given = isJsonObject(parameters) ? parameters : {};
  if (Object.hasOwn(given, "")) {
    errors.push(cause.invalid("parameters", "", "field can not be empty."));
  }
  if (Object.keys(given).length === 0) {
    errors.push(cause.required("parameters", "must contain at least one key/value pair"));
  }
}

/** Checks allowed topologies: each term must be non-empty and unique. */
function validateTerms(terms: readonly JsonObject[], errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [at, term] of terms.entries()) {
    const field = `allowedTopologies[${at}].matchLabelExpressions`;
    const expressions = objectsOf(term["matchLabelExpressions"]);
    const said = JSON.stringify(
      expressions.map(({ key, values }) => [key, [...stringsOf(values)].sort()]).sort(),
    );
    const isEmpty = expressions.length === 0;
    const isTwice = seen.has(said);
    seen.add(said);
    validateItems(expressions, validateTopology, field, errors);
    validateUniqueKeys(expressions, "key", field, errors);
    if (isEmpty || isTwice) {
      errors.push(cause.duplicate(field, ""));
    }
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

/** Appends the field errors of a CSIDriver. */
export function validateDriver(driver: ApiObject, errors: FieldErrors): void {
  const spec = specOf(driver);
  const requests = objectsOf(spec["tokenRequests"]);
  const path = (at: number) => `spec.tokenRequests[${at}]`;
  for (const mode of stringsOf(spec["volumeLifecycleModes"])) {
    validateOneOf(mode, ["Persistent", "Ephemeral"], "spec.volumeLifecycleModes", errors);
  }
  validateOneOf(
    spec["fsGroupPolicy"],
    ["File", "None", "ReadWriteOnceWithFSType"],
    "spec.fsGroupPolicy",
    errors,
  );
  validateUnique(
    requests.map(({ audience }) => audience),
    (at) => `${path(at)}.audience`,
    errors,
  );
  for (const [at, { expirationSeconds }] of requests.entries()) {
    validateExpiry(expirationSeconds, `${path(at)}.expirationSeconds`, errors);
  }
}

function validateExpiry(seconds: unknown, path: string, errors: FieldErrors): void {
  if (typeof seconds !== "number") {
    return;
  }
  if (seconds < minTokenSeconds) {
    errors.push(cause.invalid(path, seconds, "may not specify a duration less than 10 minutes"));
    return;
  }
  if (seconds > maxTokenSeconds) {
    errors.push(
      cause.invalid(path, seconds, "may not specify a duration larger than 2^32 seconds"),
    );
  }
}
