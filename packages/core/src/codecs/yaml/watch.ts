import { concatBytes, tooLarge } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import type { DecodeOptions, WireWatchEvent } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { withoutManagedFields } from "../json/managed-fields.js";
import { decodeYaml } from "./decode.js";
import { type DocumentBytes, DocumentSplitter } from "./document-splitter.js";
import { encodeYaml } from "./encode.js";

const documentEnd = Buffer.from("---\n");

/**
 * Reads a watch as one document per event. API servers write none: they refuse a watch as YAML with 406. It is here
 * so that every encoding can do the same, and for servers of our own.
 */
export async function* decodeYamlWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const splitter = new DocumentSplitter();
  for await (const chunk of source) {
    const events = await decodeEvents(splitter.push(chunk), maxBytes, options);
    if (splitter.waitingBytes > maxBytes) {
      throw tooLarge("a watch event", maxBytes, "maxObjectBytes");
    }
    if (events.length > 0) {
      yield events;
    }
  }
  const events = await decodeEvents(splitter.end(), maxBytes, options);
  if (events.length > 0) {
    yield events;
  }
}

async function decodeEvents(
  documents: readonly DocumentBytes[],
  maxBytes: number,
  options: DecodeOptions,
): Promise<WireWatchEvent[]> {
  const events: WireWatchEvent[] = [];
  for (const { bytes, ...place } of documents) {
    if (bytes.byteLength > maxBytes) {
      throw tooLarge("a watch event", maxBytes, "maxObjectBytes");
    }
    const { limits } = options;
    const event = (await decodeYaml(bytes, { limits }, place)) as Partial<WireWatchEvent> | null;
    // The `---` behind the last event begins a document with nothing in it.
    if (event === null) {
      continue;
    }
    if (typeof event.type !== "string" || !isObject(event.object)) {
      throw decodeError(
        `document ${place.document} of the watch is not an event with type and object`,
      );
    }
    withoutManagedFields(event.object, options);
    events.push({ type: event.type, object: event.object });
  }
  return events;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Encodes one event as a document, ended by the `---` of the next so that a reader need not wait for that one. */
export function encodeYamlWatchEvent(event: WireWatchEvent): Uint8Array {
  return concatBytes([encodeYaml(event), documentEnd]);
}
