import { asBuffer } from "../../bytes/bytes.js";
import { projectBody } from "../../projection/project-value.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { decodeItem, outItemEnd } from "./decoder.js";
import { roles } from "./roles.js";

/** Decodes one CBOR body: exactly one data item, with or without the leading self-described tag. */
export function decodeCbor(source: Uint8Array, options: DecodeOptions = {}): unknown {
  const bytes = asBuffer(source);
  if (bytes.length === 0) {
    throw decodeError("the body is empty where CBOR was expected");
  }
  const value = decodeItem(bytes, 0, bytes.length, roles.body, options);
  if (outItemEnd !== bytes.length) {
    throw decodeError("the body has bytes after its data item");
  }
  return projectBody(value, options.projection);
}
