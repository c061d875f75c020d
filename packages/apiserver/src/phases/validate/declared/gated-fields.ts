import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys } from "../../../objects/json-value.js";
import type { FeatureGates } from "../../../resources/feature-gates.js";
import type { KindStrategy } from "../../../resources/kind-strategy.js";

/**
 * Drops fields whose gate is off, unless the old object has them.
 *
 * @param fields - gates by path.
 */
export function withoutGated(
  fields: NonNullable<KindStrategy["gatedFields"]>,
  object: ApiObject,
  old: ApiObject | undefined,
  gates: FeatureGates,
): ApiObject {
  return Object.entries(fields).reduce((kept, [field, gate]) => {
    const path = field.split(".");
    const isKept = gates[gate] || (old !== undefined && isSet(old, path));
    return isKept ? kept : (without(kept, path) as ApiObject);
  }, object);
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
