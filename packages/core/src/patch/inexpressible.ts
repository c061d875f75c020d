import { KubeError } from "../errors/kube-error.js";
import { isJsonObject, type JsonObject, keysOf } from "../objects/json-value.js";
import { setOwn } from "../objects/own-property.js";

/** Path of a place in an object, as names. */
export type Place = readonly string[];

/** Returns the error for a change that a type of patch cannot express. It names the place, never the value. */
export function inexpressible(what: string, place: Place): KubeError {
  return new KubeError("InvalidArgument", `${what} at .${place.join(".")}`, {
    hint: "use jsonPatch.between, which can express every change",
  });
}

/**
 * Copies a value that a merge patch adds as a whole.
 *
 * @throws {KubeError} `InvalidArgument` for null as the value of a key, which in a patch removes the key. Inside a
 * list, null is an ordinary value.
 */
export function withoutNullKeys(value: unknown, place: Place): unknown {
  if (!isJsonObject(value)) {
    return value;
  }
  const copy: JsonObject = {};
  for (const key of keysOf(value)) {
    if (value[key] === null) {
      throw inexpressible("a merge patch cannot set null", [...place, key]);
    }
    setOwn(copy, key, withoutNullKeys(value[key], [...place, key]));
  }
  return copy;
}
