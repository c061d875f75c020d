import { KubeError } from "@typekube/core";
import { codecs, mediaTypes, stringifyJson } from "@typekube/core/internal";
import { assertFiniteNumbers } from "./finite-numbers.js";
import type { WireEncoding } from "./negotiation-memory.js";

/** A request body with its content type. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Encoding of the body; `json` where there is no choice. */
  readonly encoding: WireEncoding;
}

/** Writes a body in the encoding that is chosen when it is sent. */
export type BodyWriter = (encoding: WireEncoding) => Promise<Body>;

/**
 * Returns the body of an object. When protobuf would lose data of this object, or does not know its kind, the object is
 * sent as JSON.
 */
export function objectBody(value: unknown): BodyWriter {
  return async (encoding) => {
    try {
      return await encode(value, encoding);
    } catch (error) {
      if (
        encoding === "protobuf" &&
        error instanceof KubeError &&
        error.code === "InvalidArgument"
      ) {
        return encode(value, "json");
      }
      throw error;
    }
  };
}

/** Returns a body that servers read as JSON only: patches, which have no other form, and delete options. */
export function jsonBody(value: unknown, contentType: string = mediaTypes.json): BodyWriter {
  return async () => ({ ...(await encode(value, "json")), contentType });
}

// Characters that YAML forbids in a text or folds into a space, although JSON allows them (YAML 1.2 section 5.1).
const unsafeInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Longest key that we send as JSON, quotes included: YAML parsers look for the colon after it within 1024 characters. */
const maxJsonKey = 1000;

/**
 * Returns the body of a server-side apply: CBOR on request, otherwise JSON text, which servers read as YAML (nearly all
 * JSON is valid YAML). An object with a key that is too long for that is written as real YAML, which has a form for
 * long keys.
 */
export function applyBody(value: unknown): BodyWriter {
  return async (encoding) => {
    if (encoding === "cbor") {
      return { ...(await encode(value, encoding)), contentType: mediaTypes.applyCbor };
    }
    const text = stringifyJson(value).replace(unsafeInYaml, escaped);
    assertFiniteNumbers(value, text);
    if (text.length > maxJsonKey && hasLongKey(value)) {
      const bytes = await codecs.yaml.encode(value);
      return { bytes, contentType: mediaTypes.applyYaml, encoding: "json" };
    }
    return { bytes: Buffer.from(text), contentType: mediaTypes.applyYaml, encoding: "json" };
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function hasLongKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  return Object.entries(value).some(([key, field]) => isLongKey(key) || hasLongKey(field));
}

/** Returns true for a key that is too long in JSON, where a character takes six at most. */
function isLongKey(key: string): boolean {
  return (
    key.length > maxJsonKey / 6 &&
    JSON.stringify(key).replace(unsafeInYaml, escaped).length > maxJsonKey
  );
}

async function encode(value: unknown, encoding: WireEncoding): Promise<Body> {
  const codec = codecs[encoding];
  const bytes = await codec.encode(value, { refuseLoss: true });
  if (encoding === "json") {
    assertFiniteNumbers(value, bytes);
  }
  return { bytes, contentType: codec.mediaType, encoding };
}
