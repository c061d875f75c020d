import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { duplicates, givenOneOf, oneOf, qualifiedName } from "../../phases/validate/old-checks.js";

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/** Returns the field errors of a StorageClass. */
export function validateStorageClass(object: ApiObject): FieldErrors {
  const { provisioner, parameters } = object;
  return [
    ...(isUnset(provisioner)
      ? [cause.required("provisioner")]
      : qualifiedName("provisioner", String(provisioner).toLowerCase())),
    ...(isJsonObject(parameters) && Object.hasOwn(parameters, "")
      ? [cause.invalid("parameters", "", "field can not be empty.")]
      : []),
    ...oneOf("reclaimPolicy", object["reclaimPolicy"], ["Delete", "Retain"]),
    ...givenOneOf("volumeBindingMode", object["volumeBindingMode"], [
      "Immediate",
      "WaitForFirstConsumer",
    ]),
    ...validateTerms(objectsOf(object["allowedTopologies"])),
  ];
}

/** Returns the field errors of a VolumeAttributesClass. */
export function validateAttributesClass({ parameters }: ApiObject): FieldErrors {
  const given = isJsonObject(parameters) ? parameters : {};
  return [
    ...(Object.hasOwn(given, "")
      ? [cause.invalid("parameters", "", "field can not be empty.")]
      : []),
    ...(Object.keys(given).length === 0
      ? [cause.required("parameters", "must contain at least one key/value pair")]
      : []),
  ];
}

/** Checks allowed topologies: each term must be non-empty and unique. */
function validateTerms(terms: readonly JsonObject[]): FieldErrors {
  const seen = new Set<string>();
  return terms.flatMap((term, at) => {
    const field = `allowedTopologies[${at}].matchLabelExpressions`;
    const expressions = objectsOf(term["matchLabelExpressions"]);
    const said = JSON.stringify(
      expressions.map(({ key, values }) => [key, [...stringsOf(values)].sort()]).sort(),
    );
    const isEmpty = expressions.length === 0;
    const isTwice = seen.has(said);
    seen.add(said);
    return [
      ...expressions.flatMap((one, oneAt) => validateTopology(one, `${field}[${oneAt}]`)),
      ...duplicates(
        expressions.map(({ key }) => key),
        (oneAt) => `${field}[${oneAt}].key`,
      ),
      ...(isEmpty || isTwice ? [cause.duplicate(field, "")] : []),
    ];
  });
}

function validateTopology({ key, values }: JsonObject, field: string): FieldErrors {
  const given = stringsOf(values);
  return [
    ...(given.length === 0 ? [cause.required(`${field}.values`)] : []),
    ...duplicates(given, (at) => `${field}.values[${at}]`),
    ...qualifiedName(`${field}.key`, String(key ?? "")),
  ];
}

/** Returns the field errors of a CSIDriver. */
export function validateDriver(driver: ApiObject): FieldErrors {
  const spec = specOf(driver);
  const requests = objectsOf(spec["tokenRequests"]);
  const path = (at: number) => `spec.tokenRequests[${at}]`;
  return [
    ...stringsOf(spec["volumeLifecycleModes"]).flatMap((mode) =>
      oneOf("spec.volumeLifecycleModes", mode, ["Persistent", "Ephemeral"]),
    ),
    ...oneOf("spec.fsGroupPolicy", spec["fsGroupPolicy"], [
      "File",
      "None",
      "ReadWriteOnceWithFSType",
    ]),
    ...duplicates(
      requests.map(({ audience }) => audience),
      (at) => `${path(at)}.audience`,
    ),
    ...requests.flatMap(({ expirationSeconds }, at) =>
      validateExpiry(expirationSeconds, `${path(at)}.expirationSeconds`),
    ),
  ];
}

function validateExpiry(seconds: unknown, field: string): FieldErrors {
  if (typeof seconds !== "number") {
    return [];
  }
  if (seconds < minTokenSeconds) {
    return [cause.invalid(field, seconds, "may not specify a duration less than 10 minutes")];
  }
  return seconds > maxTokenSeconds
    ? [cause.invalid(field, seconds, "may not specify a duration larger than 2^32 seconds")]
    : [];
}
