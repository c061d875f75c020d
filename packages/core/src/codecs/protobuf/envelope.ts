import { asBuffer } from "../../bytes/bytes.js";
import { readString } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { lengthDelimitedEnd, outPosition, readVarint, skipField } from "./wire.js";

/** Four bytes in front of every protobuf object of the API: `k8s\0`. */
export const magic: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** runtime.Unknown, the message after the magic: the kind of the object and the position of its own bytes. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly rawStart: number;
  readonly rawEnd: number;
  /** `false` when the envelope has no bytes for the object, which is then empty. */
  readonly hasRaw: boolean;
  /** Empty when the content is not encoded. */
  readonly contentEncoding: string;
  /** Empty for protobuf. */
  readonly contentType: string;
}

/** Returns whether the bytes begin with the magic of a protobuf object. */
export function hasMagic(bytes: Uint8Array, start = 0): boolean {
  return (
    bytes[start] === magic[0] &&
    bytes[start + 1] === magic[1] &&
    bytes[start + 2] === magic[2] &&
    bytes[start + 3] === magic[3]
  );
}

/** An envelope to read into. */
export class EmptyEnvelope implements Envelope {
  apiVersion = "";
  kind = "";
  rawStart = 0;
  rawEnd = 0;
  hasRaw = false;
  contentEncoding = "";
  contentType = "";
}

/**
 * Reads the envelope of an object between two positions.
 *
 * @param envelope - overwritten and returned; a watch reuses the one of the event before. Default: a new one.
 */
export function readEnvelope(
  source: Uint8Array,
  start: number,
  end: number,
  envelope: EmptyEnvelope = new EmptyEnvelope(),
): Envelope {
  if (end - start < magic.length || !hasMagic(source, start)) {
    throw decodeError("the body does not begin with k8s\\0 as a protobuf object must");
  }
  const bytes = asBuffer(source);
  envelope.apiVersion = "";
  envelope.kind = "";
  envelope.rawStart = end;
  envelope.rawEnd = end;
  envelope.hasRaw = false;
  envelope.contentEncoding = "";
  envelope.contentType = "";
  let at = start + magic.length;
  while (at < end) {
    const tag = readVarint(bytes, at);
    switch (tag) {
      case 10:
        at = lengthDelimitedEnd(bytes, outPosition, end);
        readTypeMeta(bytes, outPosition, at, envelope);
        break;
      case 18:
        at = lengthDelimitedEnd(bytes, outPosition, end);
        envelope.rawStart = outPosition;
        envelope.rawEnd = at;
        envelope.hasRaw = true;
        break;
      case 26:
        at = lengthDelimitedEnd(bytes, outPosition, end);
        envelope.contentEncoding = readString(bytes, outPosition, at);
        break;
      case 34:
        at = lengthDelimitedEnd(bytes, outPosition, end);
        envelope.contentType = readString(bytes, outPosition, at);
        break;
      default:
        at = skipField(bytes, tag, outPosition, end);
    }
  }
  return envelope;
}

interface TypeMeta {
  apiVersion: string;
  kind: string;
}

/** Longest TypeMeta in bytes that is remembered. */
const maxKnownBytes = 128;
/** The last TypeMeta, with a copy of its bytes: a watch has one kind. */
let known: TypeMeta & { readonly bytes: Uint8Array } = {
  apiVersion: "",
  kind: "",
  bytes: new Uint8Array(0),
};

/** Reads a TypeMeta. Repeated ones are merged, as in Go. */
function readTypeMeta(bytes: Buffer, start: number, end: number, typeMeta: TypeMeta): void {
  const isFirst = typeMeta.apiVersion === "" && typeMeta.kind === "";
  if (isFirst && isKnown(bytes, start, end)) {
    typeMeta.apiVersion = known.apiVersion;
    typeMeta.kind = known.kind;
    return;
  }
  readTypeFields(bytes, start, end, typeMeta);
  if (isFirst && end - start <= maxKnownBytes) {
    const { apiVersion, kind } = typeMeta;
    known = { apiVersion, kind, bytes: Uint8Array.prototype.slice.call(bytes, start, end) };
  }
}

function isKnown(bytes: Buffer, start: number, end: number): boolean {
  const { bytes: before } = known;
  const length = end - start;
  if (before.length !== length) {
    return false;
  }
  for (let at = 0; at < length; at++) {
    if (before[at] !== bytes[start + at]) {
      return false;
    }
  }
  return true;
}

/** Reads the fields of a TypeMeta: field 1 is the apiVersion, field 2 the kind. */
function readTypeFields(bytes: Buffer, start: number, end: number, typeMeta: TypeMeta): void {
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === 10) {
      at = lengthDelimitedEnd(bytes, outPosition, end);
      typeMeta.apiVersion = readString(bytes, outPosition, at);
    } else if (tag === 18) {
      at = lengthDelimitedEnd(bytes, outPosition, end);
      typeMeta.kind = readString(bytes, outPosition, at);
    } else {
      at = skipField(bytes, tag, outPosition, end);
    }
  }
}
