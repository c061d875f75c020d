import { parseQuantity } from "@typekube/core/quantity";
import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys, stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { validateNodeSelector } from "../../fields/node-selectors.js";
import { validateInwardPath } from "../../fields/paths.js";
import { fieldValidator, validateFields } from "../../fields/validate-fields.js";
import { validateAccessModes, validateStorage } from "../../volumes/claim-spec.js";
import { validateDriverName } from "../../volumes/driver-volumes.js";

/** Appends the field errors of a PersistentVolume. */
export function validateVolume(volume: ApiObject, errors: FieldErrors): void {
  const spec = specOf(volume);
  const { persistentVolumeReclaimPolicy: reclaimPolicy } = spec;
  const validate = fieldValidator("core/v1.PersistentVolumeSpec", spec, "spec", errors);
  const { path } = mapOf(spec["hostPath"]);
  validate("accessModes");
  validateAccessModes(stringsOf(spec["accessModes"]), "spec.accessModes", errors);
  validateCapacity(spec["capacity"], "spec.capacity", errors);
  validate("persistentVolumeReclaimPolicy");
  validateOneSource(spec, errors);
  validateInwardPath(path, "spec.hostPath.path", errors);
  if (path === "/" && reclaimPolicy === "Recycle") {
    const why = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(cause.forbidden("spec.persistentVolumeReclaimPolicy", why));
  }
  validate("storageClassName", "volumeMode");
  validateAffinity(spec, "spec.nodeAffinity", errors);
  if (isJsonObject(spec["csi"])) {
    validateCsi(spec["csi"], "spec.csi", errors);
  }
}

/** Returns the sources of a volume by field; a valid spec has one. */
export function sourcesOf(spec: JsonObject): JsonObject {
  const others = omitKeys(spec, "capacity", "claimRef", "nodeAffinity");
  return Object.fromEntries(Object.entries(others).filter(([, value]) => isJsonObject(value)));
}

function validateOneSource(spec: JsonObject, errors: FieldErrors): void {
  const [first, ...others] = Object.keys(sourcesOf(spec)).sort(
    (a, b) => Number(b === "hostPath") - Number(a === "hostPath"),
  );
  if (first === undefined) {
    errors.push(cause.required("spec", "must specify a volume type"));
  }
  for (const key of others) {
    errors.push(cause.forbidden(`spec.${key}`, "may not specify more than 1 volume type"));
  }
}

function validateAffinity(
  { nodeAffinity: affinity, local }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const { required } = mapOf(affinity);
  if (!isJsonObject(affinity) && isJsonObject(local)) {
    errors.push(cause.required(path, "Local volume requires node affinity"));
  } else if (isJsonObject(affinity) && !isJsonObject(required)) {
    errors.push(cause.required(`${path}.required`, "must specify required node constraints"));
  } else {
    validateNodeSelector(required, `${path}.required`, errors);
  }
}

function validateCsi(csi: JsonObject, path: string, errors: FieldErrors): void {
  validateDriverName(csi["driver"], `${path}.driver`, errors);
  validateFields("core/v1.CSIPersistentVolumeSource", csi, path, errors);
}

function validateCapacity(capacity: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(capacity)) {
    errors.push(cause.required(path));
  }
  const { storage, ...others } = mapOf(capacity);
  if (storage === undefined || Object.keys(others).length > 0) {
    errors.push(cause.notSupported(path, capacity ?? null, ["storage"]));
    return;
  }
  if ((parseQuantity(storage)?.nanos ?? 0n) < 0n) {
    const why = "must be a valid resource quantity";
    errors.push(cause.invalid(`${path}[storage]`, Number(storage), why));
  }
  validateStorage(storage, `${path}[storage]`, errors);
}
