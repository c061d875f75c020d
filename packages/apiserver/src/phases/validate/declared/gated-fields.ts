import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys } from "../../../objects/json-value.js";
import type { FeatureGates } from "../../../resources/feature-gates.js";

/** A field guarded by a feature gate in code instead of a declared rule. `*` stands for each item of a list. */
interface GatedField {
  readonly path: readonly string[];
  readonly gate: keyof FeatureGates;
}

const volumeHealth = (...path: string[]): GatedField => ({ path, gate: "CSIVolumeHealth" });
const allocatable = (...path: string[]): GatedField => ({
  path,
  gate: "DRANodeAllocatableResources",
});

/** Gated fields by resource. (kubernetes 1.37.1, the `dropDisabledFields` of each `strategy.go`) */
const gatedFields: Readonly<Record<string, readonly GatedField[]>> = {
  pods: [
    volumeHealth("status", "volumeHealth"),
    allocatable("status", "nodeAllocatableResourceClaimStatuses"),
  ],
  persistentvolumeclaims: [volumeHealth("status", "healthStatus")],
  "csinodes.storage.k8s.io": [volumeHealth("status", "storageHealth")],
  "resourceslices.resource.k8s.io": [
    allocatable("spec", "devices", "*", "nodeAllocatableResources"),
  ],
};

/** Drops fields whose gate is off, unless the old object has them. */
export function withoutGated(
  resource: string,
  object: ApiObject,
  old: ApiObject | undefined,
  gates: FeatureGates,
): ApiObject {
  const fields = gatedFields[resource] ?? [];
  return fields.reduce(
    (kept, { path, gate }) =>
      gates[gate] || (old !== undefined && isSet(old, path))
        ? kept
        : (without(kept, path) as ApiObject),
    object,
  );
}

function isSet(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === "*") {
    return Array.isArray(value) && value.some((one) => isSet(one, rest));
  }
  if (key === undefined) {
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  }
  return isJsonObject(value) && isSet(value[key], rest);
}

/** Removes a field from a value; returns the value itself if it lacks the field. */
function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === "*") {
    return Array.isArray(value) ? value.map((one) => without(one, rest)) : value;
  }
  if (key === undefined || !isJsonObject(value) || !Object.hasOwn(value, key)) {
    return value;
  }
  if (rest.length === 0) {
    return omitKeys(value, key);
  }
  const inner = without(value[key], rest);
  return inner === value[key] ? value : ({ ...value, [key]: inner } satisfies JsonObject);
}
