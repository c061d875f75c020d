import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";

const specText =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** Appends errors for changes of immutable fields of a claim. */
export function validateClaimChange(claim: ApiObject, old: ApiObject, errors: FieldErrors): void {
  const [spec, oldSpec] = [specOf(claim), specOf(old)];
  const { phase, currentVolumeAttributesClassName: current } = mapOf(old["status"]);
  const open = [
    ...(isUnset(oldSpec["volumeName"]) ? ["volumeName"] : []),
    ...(oldSpec["storageClassName"] === undefined ? ["storageClassName"] : []),
    ...(phase === "Bound" ? ["resources", "volumeAttributesClassName"] : []),
  ];
  const limits = (of: JsonObject) => mapOf(mapOf(of["resources"])["limits"]);
  const areKept = jsonEqual(omitKeys(spec, ...open), omitKeys(oldSpec, ...open));
  const { volumeAttributesClassName: name } = spec;
  if (!areKept || !jsonEqual(limits(spec), limits(oldSpec))) {
    errors.push(cause.forbidden("spec", specText));
  } else if ((name === undefined || name === "") && current !== undefined) {
    const why = `update to ${name === "" ? "empty string" : "nil"} is forbidden when status.currentVolumeAttributesClassName is not nil`;
    errors.push(cause.forbidden("spec.volumeAttributesClassName", why));
  } else if (requestedNanos(spec) < requestedNanos(oldSpec)) {
    const why = "field can not be less than status.capacity";
    errors.push(cause.forbidden("spec.resources.requests.storage", why));
  }
}

function requestedNanos(spec: JsonObject): bigint {
  const { storage } = mapOf(mapOf(spec["resources"])["requests"]);
  return parseQuantity(storage)?.nanos ?? 0n;
}
