import { KubeError } from "../../kube-error.js";
import { holdsBigInt, stringifyWithLargeIntegers } from "./large-integers.js";

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

/** Like `JSON.stringify`, with a `bigint` written as the integer it is. */
export function stringifyJson(value: unknown): string {
  const text = holdsBigInt(value) ? stringifyWithLargeIntegers(value) : JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`${typeof value} has no JSON form`);
  }
  return text;
}
