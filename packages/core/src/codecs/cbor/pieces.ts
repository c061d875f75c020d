import { Buffer, isUtf8 } from "node:buffer";
import { decodeError } from "../decode-error.js";
import {
  breakByte,
  cut,
  infos,
  majorTypes,
  outPosition,
  readArgument,
  setOutPosition,
} from "./wire.js";

/**
 * Joins the chunks of an indefinite-length string up to its break, and sets `outPosition` to the end of the break.
 *
 * @param type - major type that the chunks must have.
 */
export function joinPieces(bytes: Buffer, start: number, end: number, type: number): Buffer {
  const pieces: Buffer[] = [];
  let at = start;
  for (;;) {
    if (at >= end) {
      throw cut();
    }
    const head = bytes[at] as number;
    if (head === breakByte) {
      setOutPosition(at + 1);
      return Buffer.concat(pieces);
    }
    const info = head & 0x1f;
    if (head >> 5 !== type || info === infos.indefinite) {
      throw decodeError("a chunk of a string has another type");
    }
    const length = readArgument(bytes, at + 1, end, info);
    at = outPosition + length;
    if (at > end) {
      throw cut();
    }
    const piece = bytes.subarray(outPosition, at);
    if (type === majorTypes.text && !isUtf8(piece)) {
      throw decodeError("a string is not UTF-8");
    }
    pieces.push(piece);
  }
}
