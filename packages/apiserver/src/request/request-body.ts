import { KubeError } from "@typekube/core";
import { codecs, mediaTypes, parseMediaType, stringifyJson } from "@typekube/core/internal";
import { badRequest, entityTooLarge, unsupportedMediaType } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject, withoutNulls } from "../objects/json-value.js";
import type { FeatureGates } from "../resources/feature-gates.js";
import type { ServedResource } from "../resources/served-resource.js";
import { bodyDecoding, nestingProblem } from "./body-nesting.js";
import { decodeCborObject, decodeCborOptions } from "./cbor-body.js";
import { duplicateFields } from "./duplicate-fields.js";
import { bodyMediaTypes } from "./negotiation.js";
import { type ResponseEncoding, servedEncodings } from "./response-format.js";
import { readYaml } from "./yaml.js";

/** Maximum size of a request body, as on real servers: 3 MiB. */
export const maxBodyBytes: number = 3 * 1024 * 1024;

const empty = new Uint8Array(0);

/** Returns the bytes of a request body; rejects one that is too large. */
export function bodyBytes(body: Uint8Array | undefined): Uint8Array {
  if (body !== undefined && body.byteLength > maxBodyBytes) {
    throw entityTooLarge(`limit is ${maxBodyBytes}`);
  }
  return body ?? empty;
}

/** The decoded object of a body. */
export interface Received {
  readonly object: JsonObject;
  /** Paths of duplicate keys in the JSON; the last value counts. */
  readonly duplicateFields: readonly string[];
  /** Messages about duplicate keys in YAML. */
  readonly yamlDuplicates: readonly string[];
  /** Returns the JSON of the body, or of its YAML with sorted keys. */
  readonly json?: (() => string) | undefined;
}

/** Decodes the object of a create or update. Missing apiVersion and kind are those of the resource. */
export async function readObject(
  body: Uint8Array | undefined,
  contentType: string | undefined,
  gates: FeatureGates,
  resource: ServedResource,
  kind: string = resource.descriptor.kind,
): Promise<Received> {
  const { descriptor } = resource;
  const bytes = bodyBytes(body);
  const codec = codecOf(contentType, gates, descriptor.protobuf);
  const yamlDuplicates: string[] = [];
  const value =
    codec === "cbor"
      ? await decodeCborObject(bytes, kind, descriptor.version)
      : await decode(bytes, codec, unrecognized(kind), yamlDuplicates);
  if (!isJsonObject(value)) {
    throw badRequest(
      `${unrecognized(kind)}couldn't get version/kind; json parse error: it is not an object`,
    );
  }
  const json = codec === "json" ? textOf(bytes) : undefined;
  return {
    json: jsonText(codec, json, value),
    yamlDuplicates,
    object: beforeSchema(value, resource),
    duplicateFields: json === undefined ? [] : duplicateFields(json),
  };
}

/**
 * Prepares an object for its schema: for a kind without a schema, removes nulls from the metadata. Otherwise the schema
 * determines the meaning of null.
 */
export function beforeSchema(
  object: JsonObject,
  { rules, defined }: Pick<ServedResource, "defined" | "rules">,
): JsonObject {
  return rules.custom && defined === undefined && isJsonObject(object["metadata"])
    ? { ...object, metadata: withoutNulls(object["metadata"]) }
    : object;
}

function jsonText(
  codec: ResponseEncoding,
  json: string | undefined,
  value: JsonObject,
): (() => string) | undefined {
  if (codec === "yaml") {
    return () => stringifyJson(sortedKeys(value));
  }
  return json === undefined ? undefined : () => json;
}

/**
 * Sorts the keys of all objects, like Go when it converts YAML to JSON. Numbers lose precision, which does not matter
 * here.
 */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortedKeys);
  }
  if (!isJsonObject(value)) {
    return typeof value === "bigint" ? Number(value) : value;
  }
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedKeys(value[key])]),
  );
}

/** Decodes a body as text. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** Decodes delete options from the body, if there is one. */
export async function readDeleteOptions(
  body: Uint8Array | undefined,
  contentType: string | undefined,
  gates: FeatureGates,
): Promise<JsonObject | undefined> {
  const bytes = bodyBytes(body);
  if (bytes.byteLength === 0) {
    return undefined;
  }
  const codec = codecOf(contentType, gates, true);
  const value = codec === "cbor" ? await decodeCborOptions(bytes) : await decode(bytes, codec, "");
  if (value === null) {
    return undefined;
  }
  if (!isJsonObject(value)) {
    const what = Array.isArray(value) ? "array" : typeof value;
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  return withoutNulls(value);
}

/** Returns the encoding of a body by its Content-Type; JSON without one. */
function codecOf(
  contentType: string | undefined,
  gates: FeatureGates,
  protobuf: boolean,
): ResponseEncoding {
  const { essence } = parseMediaType(contentType ?? "");
  const [encoding] = servedEncodings(gates.CBORServingAndStorage).find(
    ([, mediaType]) => mediaType === (essence === "" ? mediaTypes.json : essence),
  ) ?? [undefined];
  if (encoding === undefined) {
    throw unsupportedMediaType(bodyMediaTypes(gates));
  }
  if (encoding === "protobuf" && !protobuf) {
    // A real server panics and breaks the connection on such a body (1.37.1).
    throw unsupportedMediaType(
      bodyMediaTypes(gates).filter((type) => type !== mediaTypes.protobuf),
    );
  }
  return encoding;
}

/** Returns the beginning of the error message for a body that is not an object of a kind. */
function unrecognized(kind: string): string {
  return `the object provided is unrecognized (must be of type ${kind}): `;
}

/** @param context - beginning of the error message. */
async function decode(
  bytes: Uint8Array,
  encoding: Exclude<ResponseEncoding, "cbor">,
  context: string,
  yamlDuplicates: string[] = [],
): Promise<unknown> {
  try {
    if (encoding === "yaml") {
      // An empty document is an empty object.
      return readYaml(bytes, yamlDuplicates) ?? {};
    }
    const problem = encoding === "json" ? nestingProblem(textOf(bytes)) : undefined;
    if (problem !== undefined) {
      throw new Error(problem.message);
    }
    return await codecs[encoding].decode(bytes, bodyDecoding);
  } catch (error) {
    if (encoding === "protobuf" && !textOf(bytes).startsWith("k8s\0")) {
      throw badRequest(
        `${context}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]`,
      );
    }
    const why = error instanceof KubeError ? error.rawMessage : (error as Error).message;
    const text = bytes.byteLength === 0 ? "unexpected end of JSON input (<empty>)" : why;
    throw badRequest(`${context}couldn't get version/kind; json parse error: ${text}`);
  }
}
