import { objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, duplicates, givenOneOf, isUnset, oneOf, qualifiedName } from "./checks.js";

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/** What is wrong with a StorageClass. */
export function storageClassCauses(object: ApiObject): Causes {
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
    ...termsCauses(objectsOf(object["allowedTopologies"])),
  ];
}

/** Field errors of a VolumeAttributesClass. */
export function attributesClassCauses({ parameters }: ApiObject): Causes {
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

/** Where volumes may be: each term says something, and something else than the others. */
function termsCauses(terms: readonly JsonObject[]): Causes {
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
      ...expressions.flatMap((one, oneAt) => topologyCauses(one, `${field}[${oneAt}]`)),
      ...duplicates(
        expressions.map(({ key }) => key),
        (oneAt) => `${field}[${oneAt}].key`,
      ),
      ...(isEmpty || isTwice ? [cause.duplicate(field, "")] : []),
    ];
  });
}

function topologyCauses({ key, values }: JsonObject, field: string): Causes {
  const given = stringsOf(values);
  return [
    ...(given.length === 0 ? [cause.required(`${field}.values`)] : []),
    ...duplicates(given, (at) => `${field}.values[${at}]`),
    ...qualifiedName(`${field}.key`, String(key ?? "")),
  ];
}

/** What is wrong with a CSIDriver. */
export function driverCauses(driver: ApiObject): Causes {
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
      expiryCauses(expirationSeconds, `${path(at)}.expirationSeconds`),
    ),
  ];
}

function expiryCauses(seconds: unknown, field: string): Causes {
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
