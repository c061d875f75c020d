import { KubeError } from "../../kube-error.js";
import { SelfDescribed, ValueWriter } from "./value-writer.js";

/**
 * Encodes a value as Kubernetes does: the self-described tag in front, strings as byte strings, keys in the order of
 * RFC 8949 §4.2.1, numbers in their shortest form. The same value gives the same bytes. `undefined` fields are left
 * out, and `toJSON` is asked, as for JSON.
 *
 * Half a surrogate pair is written as U+FFFD, as Go stores it.
 *
 * @throws {KubeError} `InvalidArgument` for what has no form that the server would read: integers beyond 64 bits, NaN
 * and infinite numbers, values that hold themselves.
 */
export function encodeCbor(value: unknown): Uint8Array {
  return encodeItem(value);
}

/** Encodes one data item with the self-described tag; values in it may be {@link SelfDescribed} again. */
export function encodeItem(value: unknown): Uint8Array {
  try {
    const writer = new ValueWriter();
    writer.value(new SelfDescribed(value));
    return writer.finish();
  } catch (error) {
    throw error instanceof KubeError
      ? error
      : new KubeError("InvalidArgument", "the object cannot be written as CBOR", { cause: error });
  }
}
