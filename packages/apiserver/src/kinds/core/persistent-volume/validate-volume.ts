import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import {
  validateDnsLabel,
  validateGivenOneOf,
  validateOneOf,
  validateOptional,
  validateRequired,
  validateRequiredWith,
  validateSubdomain,
} from "../../../phases/validate/checks.js";
import { validateNodeSelector } from "../../fields/node-selectors.js";
import { validateInwardPath } from "../../fields/paths.js";
import { validateAccessModes, validateStorage, volumeModes } from "../../volumes/claim-spec.js";
import { validateDriverName } from "../../volumes/driver-volumes.js";

/** Fields of a volume spec that are not volume sources. */
const common = new Set(["capacity", "claimRef", "nodeAffinity"]);

/** Appends the field errors of a PersistentVolume. */
export function validateVolume(volume: ApiObject, errors: FieldErrors): void {
  const spec = specOf(volume);
  const { capacity, nodeAffinity, storageClassName } = spec;
  const { path } = mapOf(spec["hostPath"]);
  const modes = stringsOf(spec["accessModes"]);
  const sources = Object.keys(spec).filter((key) => !common.has(key) && isJsonObject(spec[key]));
  const [first, ...others] = sources.sort(
    (a, b) => Number(b === "hostPath") - Number(a === "hostPath"),
  );
  if (modes.length === 0) {
    errors.push(cause.required("spec.accessModes"));
  } else {
    validateAccessModes(modes, "spec.accessModes", errors);
  }
  validateCapacity(capacity, errors);
  validateOneOf(
    spec["persistentVolumeReclaimPolicy"],
    ["Delete", "Recycle", "Retain"],
    "spec.persistentVolumeReclaimPolicy",
    errors,
  );
  if (first === undefined) {
    errors.push(cause.required("spec", "must specify a volume type"));
  }
  for (const key of others) {
    errors.push(cause.forbidden(`spec.${key}`, "may not specify more than 1 volume type"));
  }
  validateInwardPath(path, "spec.hostPath.path", errors);
  if (path === "/" && spec["persistentVolumeReclaimPolicy"] === "Recycle") {
    errors.push(
      cause.forbidden(
        "spec.persistentVolumeReclaimPolicy",
        "may not be 'recycle' for a hostPath mount of '/'",
      ),
    );
  }
  validateOptional(storageClassName, validateSubdomain, "spec.storageClassName", errors);
  validateGivenOneOf(spec["volumeMode"], volumeModes, "spec.volumeMode", errors);
  if (isJsonObject(spec["local"]) && !isJsonObject(nodeAffinity)) {
    errors.push(cause.required("spec.nodeAffinity", "Local volume requires node affinity"));
  } else {
    validateAffinity(nodeAffinity, errors);
  }
  if (isJsonObject(spec["csi"])) {
    validateCsi(spec["csi"], "spec.csi", errors);
  }
}

function validateAffinity(affinity: unknown, errors: FieldErrors): void {
  const field = "spec.nodeAffinity.required";
  const { required: nodes } = mapOf(affinity);
  if (isJsonObject(affinity) && !isJsonObject(nodes)) {
    errors.push(cause.required(field, "must specify required node constraints"));
  } else {
    validateNodeSelector(nodes, field, errors);
  }
}

const secretRefs = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

function validateCsi(csi: JsonObject, path: string, errors: FieldErrors): void {
  validateDriverName(csi["driver"], `${path}.driver`, errors);
  validateRequired(csi["volumeHandle"], `${path}.volumeHandle`, errors);
  for (const key of secretRefs) {
    if (isJsonObject(csi[key])) {
      validateSecret(csi[key], `${path}.${key}`, errors);
    }
  }
}

function validateSecret({ name, namespace }: JsonObject, path: string, errors: FieldErrors): void {
  validateRequiredWith(name, validateSubdomain, `${path}.name`, errors);
  validateRequiredWith(namespace, validateDnsLabel, `${path}.namespace`, errors);
}

function validateCapacity(capacity: unknown, errors: FieldErrors): void {
  if (!isJsonObject(capacity)) {
    errors.push(cause.required("spec.capacity"));
    errors.push(cause.notSupported("spec.capacity", null, ["storage"]));
    return;
  }
  const { storage } = capacity;
  if (storage === undefined || Object.keys(capacity).length > 1) {
    errors.push(cause.notSupported("spec.capacity", capacity, ["storage"]));
    return;
  }
  const field = "spec.capacity[storage]";
  const isNegative = (parseQuantity(storage)?.nanos ?? 0n) < 0n;
  if (isNegative) {
    errors.push(cause.invalid(field, Number(storage), "must be a valid resource quantity"));
  }
  validateStorage(storage, field, errors);
}
