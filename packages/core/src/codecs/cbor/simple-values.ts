import type { Buffer } from "node:buffer";
import { decodeError } from "../decode-error.js";
import { floatAsInJson } from "../whole-numbers.js";
import { infos, readFloat, setOutPosition } from "./wire.js";

/**
 * Reads false, true, null and floating-point numbers. Rejects `undefined` and all other simple values, as Kubernetes
 * does.
 */
export function readSimple(
  bytes: Buffer,
  start: number,
  end: number,
  info: number,
): bigint | boolean | null | number {
  switch (info) {
    case infos.twoBytes:
    case infos.fourBytes:
    case infos.eightBytes:
      return floatAsInJson(readFloat(bytes, start, end, info));
    case infos.indefinite:
      throw decodeError("unexpected break");
    default:
      setOutPosition(start);
      return simpleValue(info);
  }
}

function simpleValue(info: number): boolean | null {
  switch (info) {
    case 20:
      return false;
    case 21:
      return true;
    case 22:
      return null;
    default:
      throw decodeError("a simple value is not false, true or null");
  }
}
