import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import {
  dnsLabel,
  givenOneOf,
  oneOf,
  required,
  subdomain,
} from "../../phases/validate/old-checks.js";
import { validateNodeSelector } from "../fields/node-selectors.js";
import { inwardPath } from "../fields/paths.js";
import { validateDriverName } from "../volumes/driver-volumes.js";
import { validateAmount, validateModes, volumeModes } from "../volumes/validate-claim.js";

/** Fields of a volume spec that are not volume sources. */
const common = new Set(["capacity", "claimRef", "nodeAffinity"]);

/** Returns the field errors of a PersistentVolume. */
export function validateVolume(volume: ApiObject): FieldErrors {
  const spec = specOf(volume);
  const { capacity, nodeAffinity, storageClassName } = spec;
  const { path } = mapOf(spec["hostPath"]);
  const modes = stringsOf(spec["accessModes"]);
  const sources = Object.keys(spec).filter((key) => !common.has(key) && isJsonObject(spec[key]));
  const [first, ...others] = sources.sort(
    (a, b) => Number(b === "hostPath") - Number(a === "hostPath"),
  );
  return [
    ...(modes.length === 0
      ? [cause.required("spec.accessModes")]
      : validateModes(modes, "spec.accessModes")),
    ...validateCapacity(capacity),
    ...oneOf("spec.persistentVolumeReclaimPolicy", spec["persistentVolumeReclaimPolicy"], [
      "Delete",
      "Recycle",
      "Retain",
    ]),
    ...(first === undefined ? [cause.required("spec", "must specify a volume type")] : []),
    ...others.map((key) =>
      cause.forbidden(`spec.${key}`, "may not specify more than 1 volume type"),
    ),
    ...inwardPath("spec.hostPath.path", path),
    ...(path === "/" && spec["persistentVolumeReclaimPolicy"] === "Recycle"
      ? [
          cause.forbidden(
            "spec.persistentVolumeReclaimPolicy",
            "may not be 'recycle' for a hostPath mount of '/'",
          ),
        ]
      : []),
    ...(isUnset(storageClassName) ? [] : subdomain("spec.storageClassName", storageClassName)),
    ...givenOneOf("spec.volumeMode", spec["volumeMode"], volumeModes),
    ...(isJsonObject(spec["local"]) && !isJsonObject(nodeAffinity)
      ? [cause.required("spec.nodeAffinity", "Local volume requires node affinity")]
      : validateAffinity(nodeAffinity)),
    ...(isJsonObject(spec["csi"]) ? validateCsi(spec["csi"], "spec.csi") : []),
  ];
}

function validateAffinity(affinity: unknown): FieldErrors {
  const field = "spec.nodeAffinity.required";
  const { required: nodes } = mapOf(affinity);
  return isJsonObject(affinity) && !isJsonObject(nodes)
    ? [cause.required(field, "must specify required node constraints")]
    : validateNodeSelector(nodes, field);
}

const secretRefs = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

function validateCsi(csi: JsonObject, field: string): FieldErrors {
  return [
    ...validateDriverName(csi["driver"], `${field}.driver`),
    ...required(`${field}.volumeHandle`, csi["volumeHandle"]),
    ...secretRefs.flatMap((key) =>
      isJsonObject(csi[key]) ? validateSecret(csi[key], `${field}.${key}`) : [],
    ),
  ];
}

function validateSecret({ name, namespace }: JsonObject, field: string): FieldErrors {
  return [
    ...(isUnset(name) ? [cause.required(`${field}.name`)] : subdomain(`${field}.name`, name)),
    ...(isUnset(namespace)
      ? [cause.required(`${field}.namespace`)]
      : dnsLabel(`${field}.namespace`, namespace)),
  ];
}

function validateCapacity(capacity: unknown): FieldErrors {
  if (!isJsonObject(capacity)) {
    return [
      cause.required("spec.capacity"),
      cause.notSupported("spec.capacity", null, ["storage"]),
    ];
  }
  const { storage } = capacity;
  if (storage === undefined || Object.keys(capacity).length > 1) {
    return [cause.notSupported("spec.capacity", capacity, ["storage"])];
  }
  const field = "spec.capacity[storage]";
  const isNegative = (parseQuantity(storage)?.nanos ?? 0n) < 0n;
  return [
    ...(isNegative
      ? [cause.invalid(field, Number(storage), "must be a valid resource quantity")]
      : []),
    ...validateAmount(storage, field),
  ];
}
