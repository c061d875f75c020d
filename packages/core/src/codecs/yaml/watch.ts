import { concatBytes, tooLarge } from "../../bytes/bytes.js";
import { isJsonObject } from "../../objects/json-value.js";
import { defaultLimits } from "../../options/limits.js";
import { projectEvent } from "../../projection/project-value.js";
import type { DecodeOptions, WireWatchEvent } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { withoutManagedFields } from "../json/managed-fields.js";
import { decodeYaml } from "./decode.js";
import { type DocumentBytes, DocumentSplitter } from "./document-splitter.js";
import { encodeYaml } from "./encode.js";

const documentEnd = Buffer.from("---\n");

/**
 * Decodes a watch with one document per event. API servers reject a watch as YAML with 406. The codec supports it so
 * that all encodings have the same functions, and for our own servers.
 */
export async function* decodeYamlWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const splitter = new DocumentSplitter();
  for await (const chunk of source) {
    yield* decodeEvents(splitter.push(chunk), maxBytes, options);
    if (splitter.waitingBytes > maxBytes) {
      throw tooLarge("a watch event", maxBytes, "maxObjectBytes");
    }
  }
  yield* decodeEvents(splitter.end(), maxBytes, options);
}

async function* decodeEvents(
  documents: readonly DocumentBytes[],
  maxBytes: number,
  options: DecodeOptions,
): AsyncIterable<readonly WireWatchEvent[]> {
  const events: WireWatchEvent[] = [];
  let failure: unknown;
  try {
    for (const document of documents) {
      const event = await decodeEvent(document, maxBytes, options);
      if (event !== undefined) {
        events.push(event);
      }
    }
  } catch (error) {
    failure = error;
  }
  // Events that arrived whole before a broken document are delivered first.
  if (events.length > 0) {
    yield events;
  }
  if (failure !== undefined) {
    throw failure;
  }
}

async function decodeEvent(
  { bytes, ...place }: DocumentBytes,
  maxBytes: number,
  options: DecodeOptions,
): Promise<WireWatchEvent | undefined> {
  if (bytes.byteLength > maxBytes) {
    throw tooLarge("a watch event", maxBytes, "maxObjectBytes");
  }
  const { limits } = options;
  const event = (await decodeYaml(bytes, { limits }, place)) as Partial<WireWatchEvent> | null;
  // The `---` after the last event begins an empty document.
  if (event === null) {
    return undefined;
  }
  if (typeof event.type !== "string" || !isJsonObject(event.object)) {
    throw decodeError(
      `document ${place.document} of the watch is not an event with type and object`,
    );
  }
  withoutManagedFields(event.object, options);
  return projectEvent({ type: event.type, object: event.object }, options.projection);
}

/**
 * Encodes one event as a document. It ends with the `---` of the next document, so that a reader need not wait for the
 * next event.
 */
export function encodeYamlWatchEvent(event: WireWatchEvent): Uint8Array {
  return concatBytes([encodeYaml(event), documentEnd]);
}
