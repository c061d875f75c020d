import type { Buffer } from "node:buffer";
import { tags } from "./wire.js";

/** Encodes bytes into the text form that their tag requires: base64, base64url or hexadecimal. */
export function encodeLater(tag: number, bytes: Buffer, start: number, end: number): string {
  switch (tag) {
    case tags.laterBase64:
      return bytes.toString("base64", start, end);
    case tags.laterBase64Url:
      return bytes.toString("base64url", start, end);
    default:
      return bytes.toString("hex", start, end);
  }
}
