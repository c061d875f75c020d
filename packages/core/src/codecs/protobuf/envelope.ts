import { asBuffer } from "../../bytes.js";
import { readString } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { position, readVarint, skipField } from "./wire.js";

/** The four bytes before every protobuf object of the API: `k8s\0`. */
export const magic: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** runtime.Unknown, the message behind the magic: what the object is and where its own bytes stand. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly rawStart: number;
  readonly rawEnd: number;
  /** Without it the object is empty. */
  readonly hasRaw: boolean;
  /** Empty means none. */
  readonly contentEncoding: string;
  /** Empty means protobuf. */
  readonly contentType: string;
}

/** Whether the bytes begin as a protobuf object of the API does. */
export function hasMagic(bytes: Uint8Array, start = 0): boolean {
  return (
    bytes[start] === magic[0] &&
    bytes[start + 1] === magic[1] &&
    bytes[start + 2] === magic[2] &&
    bytes[start + 3] === magic[3]
  );
}

/** Reads the envelope of an object between two positions. */
export function readEnvelope(source: Uint8Array, start: number, end: number): Envelope {
  if (end - start < magic.length || !hasMagic(source, start)) {
    throw decodeError("the body does not begin with k8s\\0 as a protobuf object must");
  }
  const bytes = asBuffer(source);
  const typeMeta = { apiVersion: "", kind: "" };
  let rawStart = end;
  let rawEnd = end;
  let hasRaw = false;
  let contentEncoding = "";
  let contentType = "";
  let at = start + magic.length;
  while (at < end) {
    const tag = readVarint(bytes, at);
    const valueStart = position;
    at = skipField(bytes, tag, valueStart, end);
    if ((tag & 7) !== 2) {
      continue;
    }
    readVarint(bytes, valueStart);
    switch (tag >>> 3) {
      case 1:
        readTypeMeta(bytes, position, at, typeMeta);
        break;
      case 2:
        rawStart = position;
        rawEnd = at;
        hasRaw = true;
        break;
      case 3:
        contentEncoding = readString(bytes, position, at);
        break;
      case 4:
        contentType = readString(bytes, position, at);
        break;
    }
  }
  const { apiVersion, kind } = typeMeta;
  return { apiVersion, kind, rawStart, rawEnd, hasRaw, contentEncoding, contentType };
}

/** TypeMeta: field 1 is the apiVersion, field 2 the kind. One that comes twice counts together, as in Go. */
function readTypeMeta(
  bytes: Buffer,
  start: number,
  end: number,
  typeMeta: { apiVersion: string; kind: string },
): void {
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    const valueStart = position;
    at = skipField(bytes, tag, valueStart, end);
    if (tag === 10 || tag === 18) {
      readVarint(bytes, valueStart);
      typeMeta[tag === 10 ? "apiVersion" : "kind"] = readString(bytes, position, at);
    }
  }
}
