import { KubeError } from "../../errors/kube-error.js";
import { holdsBigInt, stringifyWithLargeIntegers } from "./large-integers.js";
import { withoutLoneSurrogates } from "./lone-surrogates.js";

/** Encodes a value as JSON text in UTF-8. Keys keep their order; `undefined` fields are omitted. */
export function encodeJson(value: unknown): Uint8Array {
  try {
    return Buffer.from(stringifyJson(value), "utf8");
  } catch (error) {
    throw new KubeError("InvalidArgument", "the object cannot be written as JSON", {
      cause: error,
    });
  }
}

/** Works like `JSON.stringify`, but writes a `bigint` as an integer and a lone surrogate as U+FFFD. */
export function stringifyJson(value: unknown): string {
  const text = refusesBigInt() ? stringifyOrRepeat(value) : stringifyWithLargeIntegers(value);
  if (text === undefined) {
    throw new TypeError(`${typeof value} cannot be encoded as JSON`);
  }
  return withoutLoneSurrogates(text);
}

/** Returns whether `JSON.stringify` rejects a `bigint`: it does, unless the program defined `BigInt.prototype.toJSON`. */
function refusesBigInt(): boolean {
  return !("toJSON" in BigInt.prototype);
}

/** Serializes a value, a second time if it holds a `bigint`. That is rare: searching first would cost more than failing. */
function stringifyOrRepeat(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (holdsBigInt(value)) {
      return stringifyWithLargeIntegers(value);
    }
    throw error;
  }
}
