import { setOwn } from "../codecs/own-property.js";
import { KubeError } from "../kube-error.js";
import { isJsonObject, type JsonObject, keysOf } from "./json-value.js";

/** Where in an object something is, as names. */
export type Place = readonly string[];

/** The error for what a kind of patch cannot say. It names the place, never the value. */
export function unsayable(what: string, place: Place): KubeError {
  return new KubeError("InvalidArgument", `${what} at .${place.join(".")}`, {
    hint: "use jsonPatch.between, which can express every change",
  });
}

/**
 * A copy of what a merge patch adds as a whole.
 *
 * @throws {KubeError} `InvalidArgument` for null as the value of a key, which in a patch means that the key goes. Within a list
 * null is just null.
 */
export function withoutNullKeys(value: unknown, place: Place): unknown {
  if (!isJsonObject(value)) {
    return value;
  }
  const copy: JsonObject = {};
  for (const key of keysOf(value)) {
    if (value[key] === null) {
      throw unsayable("a merge patch cannot set null", [...place, key]);
    }
    setOwn(copy, key, withoutNullKeys(value[key], [...place, key]));
  }
  return copy;
}
