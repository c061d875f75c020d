import type { Buffer } from "node:buffer";
import { decodeError } from "../decode-error.js";
import { floatAsInJson } from "../whole-numbers.js";
import { type ValueKind, valueKinds } from "./message-type.js";
import {
  checkedEnd,
  lengthDelimitedEnd,
  outPosition,
  readInteger,
  readVarint,
  toInt32,
} from "./wire.js";

/** Kinds of field values other than strings and messages. */
export type ScalarKind = Exclude<ValueKind, typeof valueKinds.string | typeof valueKinds.message>;

// A second result: docs/wire.md, "Second results".
/** End of the value that {@link readScalar} read last. */
export let outScalarEnd = 0;

/**
 * Reads a number, a boolean or bytes, in their JSON form.
 *
 * @param field - name of the field, for errors.
 */
export function readScalar(
  kind: ScalarKind,
  bytes: Buffer,
  at: number,
  end: number,
  field: string,
): unknown {
  switch (kind) {
    case valueKinds.integer: {
      const value = readInteger(bytes, at);
      outScalarEnd = checkedEnd(end, field);
      return value;
    }
    case valueKinds.int32: {
      const value = toInt32(readInteger(bytes, at));
      outScalarEnd = checkedEnd(end, field);
      return value;
    }
    case valueKinds.bool: {
      const value = readVarint(bytes, at) !== 0;
      outScalarEnd = checkedEnd(end, field);
      return value;
    }
    case valueKinds.bytes: {
      const stop = lengthDelimitedEnd(bytes, at, end);
      outScalarEnd = stop;
      return bytes.toString("base64", outPosition, stop);
    }
    case valueKinds.double: {
      if (at + 8 > end) {
        throw decodeError(`the number in ${field} is truncated`);
      }
      outScalarEnd = at + 8;
      return floatAsInJson(bytes.readDoubleLE(at));
    }
    default:
      return kind satisfies never;
  }
}
