import { KubeError } from "@typekube/core";
import { codecs, mediaTypes, stringifyJson } from "@typekube/core/internal";
import { assertFiniteNumbers } from "./finite-numbers.js";
import type { WireEncoding } from "./negotiation.js";

/** A request body and what it is. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** What it is written in; `json` where there is no choice. */
  readonly encoding: WireEncoding;
}

/** A body that can be written in any encoding; which one is known when it is sent. */
export type BodyWriter = (encoding: WireEncoding) => Promise<Body>;

/** An object. Where protobuf would lose something of it, or does not know its kind, this one object goes as JSON. */
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

/** A body that servers read as JSON only: patches, which have no other form, and the options of a delete. */
export function jsonBody(value: unknown, contentType: string = mediaTypes.json): BodyWriter {
  return async () => ({ ...(await encode(value, "json")), contentType });
}

// What YAML forbids in a text or folds into a blank, though JSON allows it (YAML 1.2 section 5.1).
const unsafeInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** YAML looks this far for the colon behind a key of JSON (1024 characters), its quotes included. */
const maxJsonKey = 1000;

/**
 * The body of a server-side apply: CBOR on demand, else JSON text, which servers read as the YAML that it is all but a part of.
 * What has a key too long for that goes as YAML itself, which has a form for such keys.
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

/** A character takes six in JSON at most. */
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
