import { mapOf, specOf } from "../kinds/parts.js";
import { parseQuantity } from "../kinds/quantity.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, stringsOf } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, isUnset, oneOf, required, subdomain } from "./checks.js";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const volumeModes = ["Block", "Filesystem"];

/** What is wrong with a PersistentVolumeClaim. */
export function claimCauses(claim: ApiObject): Causes {
  const spec = specOf(claim);
  const modes = stringsOf(spec["accessModes"]);
  const { storage } = mapOf(mapOf(spec["resources"])["requests"]);
  const storageClass = spec["storageClassName"];
  return [
    ...(modes.length === 0
      ? [cause.required("spec.accessModes", "at least 1 access mode is required")]
      : []),
    ...modesCauses(modes),
    ...amountCauses(storage, "spec.resources[storage]"),
    ...(isUnset(storageClass) ? [] : subdomain("spec.storageClassName", storageClass)),
    ...oneOf("spec.volumeMode", spec["volumeMode"], volumeModes),
  ];
}

function modesCauses(modes: readonly string[]): Causes {
  return [
    ...modes.flatMap((mode) => oneOf("spec.accessModes", mode, accessModes)),
    ...(modes.includes("ReadWriteOncePod") && modes.length > 1
      ? [
          cause.forbidden(
            "spec.accessModes",
            "may not use ReadWriteOncePod with other access modes",
          ),
        ]
      : []),
  ];
}

function amountCauses(amount: unknown, field: string): Causes {
  const quantity = parseQuantity(amount);
  if (quantity === undefined) {
    return [cause.required(field)];
  }
  return quantity.nanos > 0n ? [] : [cause.invalid(field, amount, "must be greater than zero")];
}

/** Fields of a volume that are no source of it. */
const common = new Set(["capacity", "claimRef", "nodeAffinity"]);

/** What is wrong with a PersistentVolume. */
export function volumeCauses(volume: ApiObject): Causes {
  const spec = specOf(volume);
  const { capacity } = spec;
  const modes = stringsOf(spec["accessModes"]);
  const sources = Object.keys(spec).filter((key) => !common.has(key) && isJsonObject(spec[key]));
  const [first, ...others] = sources.sort(
    (a, b) => Number(b === "hostPath") - Number(a === "hostPath"),
  );
  return [
    ...(modes.length === 0 ? [cause.required("spec.accessModes")] : modesCauses(modes)),
    ...(isJsonObject(capacity)
      ? amountCauses(capacity["storage"], "spec.capacity[storage]")
      : [cause.required("spec.capacity"), cause.notSupported("spec.capacity", null, ["storage"])]),
    ...oneOf("spec.persistentVolumeReclaimPolicy", spec["persistentVolumeReclaimPolicy"], [
      "Delete",
      "Recycle",
      "Retain",
    ]),
    ...(first === undefined ? [cause.required("spec", "must specify a volume type")] : []),
    ...others.map((key) =>
      cause.forbidden(`spec.${key}`, "may not specify more than 1 volume type"),
    ),
    ...oneOf("spec.volumeMode", spec["volumeMode"], volumeModes),
  ];
}

/** What is wrong with a StorageClass. */
export function storageClassCauses(object: ApiObject): Causes {
  return [
    ...required("provisioner", object["provisioner"]),
    ...oneOf("reclaimPolicy", object["reclaimPolicy"], ["Delete", "Retain"]),
    ...oneOf("volumeBindingMode", object["volumeBindingMode"], [
      "Immediate",
      "WaitForFirstConsumer",
    ]),
  ];
}
