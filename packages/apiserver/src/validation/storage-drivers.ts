import { objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, duplicates, isUnset, oneOf, qualifiedName } from "./checks.js";

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/** What is wrong with a StorageClass. */
export function storageClassCauses(object: ApiObject): Causes {
  const { provisioner, parameters } = object;
  return [
    ...(isUnset(provisioner)
      ? [cause.required("provisioner")]
      : qualifiedName("provisioner", String(provisioner).toLowerCase(), String(provisioner))),
    ...(isJsonObject(parameters) && Object.hasOwn(parameters, "")
      ? [cause.invalid("parameters", "", "field can not be empty.")]
      : []),
    ...oneOf("reclaimPolicy", object["reclaimPolicy"], ["Delete", "Retain"]),
    ...oneOf("volumeBindingMode", object["volumeBindingMode"], [
      "Immediate",
      "WaitForFirstConsumer",
    ]),
    ...objectsOf(object["allowedTopologies"]).flatMap((term, at) =>
      objectsOf(term["matchLabelExpressions"]).flatMap((one, oneAt) =>
        topologyCauses(one, `allowedTopologies[${at}].matchLabelExpressions[${oneAt}]`),
      ),
    ),
  ];
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
