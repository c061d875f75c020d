import { KubeError } from "../../errors/kube-error.js";
import { SelfDescribed, ValueWriter } from "./value-writer.js";

/**
 * Encodes a value as Kubernetes does: self-described tag first, strings as byte strings, keys in the order of RFC 8949
 * §4.2.1, numbers in their shortest form. Equal values give equal bytes. As in JSON, `undefined` fields are omitted and
 * `toJSON` is called.
 *
 * Lone surrogates are written as U+FFFD, as Go stores them.
 *
 * @throws {KubeError} `InvalidArgument` for values that the server could not read: integers beyond 64 bits, NaN and
 * infinite numbers, values that contain themselves.
 */
export function encodeCbor(value: unknown): Uint8Array {
  return encodeItem(value);
}

/** Encodes one data item with the self-described tag. Values in it may be {@link SelfDescribed} too. */
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
