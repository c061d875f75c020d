import { KubeError } from "../../kube-error.js";
import { holdsBigInt, stringifyWithLargeIntegers } from "./large-integers.js";
import { withoutLoneSurrogates } from "./lone-surrogates.js";

/** Encodes a value as JSON text in UTF-8. Keys keep their order; `undefined` fields are left out. */
export function encodeJson(value: unknown): Uint8Array {
  try {
    return Buffer.from(stringifyJson(value), "utf8");
  } catch (error) {
    throw new KubeError("InvalidArgument", "the object cannot be written as JSON", {
      cause: error,
    });
  }
}

/** Like `JSON.stringify`, with a `bigint` written as the integer it is and half a surrogate pair as U+FFFD. */
export function stringifyJson(value: unknown): string {
  const text = refusesBigInt() ? stringifyOrRepeat(value) : stringifyWithLargeIntegers(value);
  if (text === undefined) {
    throw new TypeError(`${typeof value} has no JSON form`);
  }
  return withoutLoneSurrogates(text);
}

/** `JSON.stringify` refuses a `bigint` by itself, unless a program taught all of them a form of its own. */
function refusesBigInt(): boolean {
  return !("toJSON" in BigInt.prototype);
}

/** Nearly no object holds a `bigint`: to look for one first would cost more than to fail where there is one. */
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
