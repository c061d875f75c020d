import type { Buffer } from "node:buffer";
import { asBuffer } from "../../bytes/bytes.js";
import { defaultLimits } from "../../options/limits.js";
import { projectBody } from "../../projection/project-value.js";
import { mark } from "../../projection/projected-objects.js";
import type { DecodeOptions } from "../codec.js";
import { releaseStrings } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { assertJsonDepth } from "../json/depth.js";
import { withoutManagedFields } from "../json/managed-fields.js";
import { parseJson } from "../json/parse.js";
import { mediaTypes } from "../media-type.js";
import { decodeMessage } from "./decoder.js";
import { type Envelope, readEnvelope } from "./envelope.js";
import { loadedMessageType, loadMessageType, type MessageType } from "./message-type.js";

/** Decodes one protobuf body. */
export async function decodeProtobuf(
  source: Uint8Array,
  options: DecodeOptions = {},
): Promise<unknown> {
  const bytes = asBuffer(source);
  const envelope = readEnvelope(bytes, 0, bytes.length);
  await loadMessageType(envelope.apiVersion, envelope.kind);
  try {
    return decodeEnvelope(bytes, envelope, options);
  } finally {
    releaseStrings();
  }
}

/** Decodes the content of an envelope. The tables of its kind must be loaded. */
export function decodeEnvelope(bytes: Buffer, envelope: Envelope, options: DecodeOptions): unknown {
  const { apiVersion, kind, rawStart, rawEnd, contentEncoding, contentType } = envelope;
  if (contentEncoding !== "") {
    throw decodeError(`the envelope of a ${kind} has the unknown encoding "${contentEncoding}"`);
  }
  if (contentType === mediaTypes.json) {
    const maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
    assertJsonDepth(bytes, rawStart, rawEnd, maxDepth);
    const object = withoutManagedFields(
      parseJson(bytes, rawStart, rawEnd, options.limits),
      options,
    );
    return projectBody(object, options.projection);
  }
  if (contentType !== "" && contentType !== mediaTypes.protobuf) {
    throw decodeError(`the envelope of a ${kind} has the unknown content type "${contentType}"`);
  }
  const type = loadedMessageType(apiVersion, kind);
  if (type === undefined) {
    throw unknownKind(apiVersion, kind);
  }
  const { projection } = options;
  const kept =
    projection === undefined || type.isList || kind === "Status" ? undefined : projection.root;
  const object = decodeObject(
    kept === undefined ? type : type.keeping(kept),
    apiVersion,
    kind,
    bytes,
    rawStart,
    rawEnd,
    options,
  );
  if (!type.isList) {
    return object;
  }
  // The items of a `List` are JSON, so the tables do not know their fields.
  return projectBody(
    type.holdsRawItems ? withoutManagedFields(object, options) : object,
    projection,
  );
}

/** Decodes a message that is an API object. Kind and apiVersion come first, as in the server's JSON. */
export function decodeObject(
  type: MessageType,
  apiVersion: string,
  kind: string,
  bytes: Buffer,
  start: number,
  end: number,
  options: DecodeOptions,
): Record<string, unknown> {
  const object = new type.Plain();
  if (type.isMarked) {
    mark(object);
  }
  object["kind"] = kind;
  if (apiVersion !== "") {
    object["apiVersion"] = apiVersion;
  }
  return decodeMessage(type, bytes, start, end, options, object);
}

/** Returns the error for a kind that is missing from the schema tables. */
export function unknownKind(apiVersion: string, kind: string): Error {
  return decodeError(
    `unknown kind ${kind} in ${apiVersion}: its protobuf schema is not built in; read it as JSON`,
  );
}
