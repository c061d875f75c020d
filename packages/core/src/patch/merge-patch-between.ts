import { getOwn, isJsonObject, type JsonObject, jsonEqual, keysOf } from "../objects/json-value.js";
import { setOwn } from "../objects/own-property.js";
import { type Place, withoutNullKeys } from "./inexpressible.js";

/**
 * Returns the merge patch (RFC 7386) that turns one object into another: changed values, null for removed keys, lists
 * as a whole.
 *
 * @returns `{}` when the two are equal.
 * @throws {KubeError} `InvalidArgument` when a key must be set to null, which a merge patch cannot express;
 * `jsonPatch.between` can.
 */
export function mergePatchBetween(before: object, after: object): JsonObject {
  return diff(before as JsonObject, after as JsonObject, []);
}

function diff(before: JsonObject, after: JsonObject, place: Place): JsonObject {
  const patch: JsonObject = {};
  for (const key of keysOf(before)) {
    if (getOwn(after, key) === undefined) {
      setOwn(patch, key, null);
    }
  }
  for (const key of keysOf(after)) {
    const old = getOwn(before, key);
    const value = after[key];
    if (jsonEqual(old, value)) {
      continue;
    }
    const here = [...place, key];
    if (isJsonObject(old) && isJsonObject(value)) {
      setOwn(patch, key, diff(old, value, here));
    } else {
      setOwn(patch, key, getOwn(withoutNullKeys({ [key]: value }, place) as JsonObject, key));
    }
  }
  return patch;
}
