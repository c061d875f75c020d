import { asBuffer, concatBytes, tooLarge } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import type { DecodeOptions, WireWatchEvent } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { decodeJsonObject } from "./decode.js";
import { assertJsonDepth } from "./depth.js";
import { encodeJson } from "./encode.js";
import { dropManagedFields } from "./managed-fields.js";
import { newline } from "./tokens.js";

const inObjectMetadata = ["object", "metadata"];

/** Splits a watch at 0x0A, and only there: U+2028 and a bare CR may stand inside an event. */
export async function* decodeJsonWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of source) {
    const events: WireWatchEvent[] = [];
    const buffer = asBuffer(chunk);
    let start = 0;
    try {
      for (let end = buffer.indexOf(newline); end >= 0; end = buffer.indexOf(newline, start)) {
        const line =
          pending.length > 0
            ? concatBytes([...pending, buffer.subarray(start, end)])
            : buffer.subarray(start, end);
        pending = [];
        pendingBytes = 0;
        start = end + 1;
        const event = decodeLine(line, maxBytes, options);
        if (event) {
          events.push(event);
        }
      }
    } catch (error) {
      // What came before the bad line is good, and the place to go on from.
      if (events.length > 0) {
        yield events;
      }
      throw error;
    }
    if (start < buffer.length) {
      pending.push(buffer.subarray(start));
      pendingBytes += buffer.length - start;
      if (pendingBytes > maxBytes) {
        throw tooLarge("a watch event", maxBytes, "maxObjectBytes");
      }
    }
    if (events.length > 0) {
      yield events;
    }
  }
  // The last event needs no newline; what is cut in the middle does not parse and is reported.
  const event = decodeLine(concatBytes(pending), maxBytes, options);
  if (event) {
    yield [event];
  }
}

function decodeLine(
  line: Uint8Array,
  maxBytes: number,
  options: DecodeOptions,
): WireWatchEvent | undefined {
  if (line.byteLength > maxBytes) {
    throw tooLarge("a watch event", maxBytes, "maxObjectBytes");
  }
  if (line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)) {
    return undefined;
  }
  const { byteLength } = line;
  assertJsonDepth(line, 0, byteLength, options.limits?.maxDepth ?? defaultLimits.maxDepth);
  const event = decodeJsonObject(
    asBuffer(line),
    0,
    byteLength,
    options,
    "",
    inObjectMetadata,
  ) as Partial<WireWatchEvent> | null;
  if (typeof event?.type !== "string" || !isObject(event.object)) {
    throw decodeError("a line of the watch is not an event with type and object");
  }
  if (options.managedFields === false) {
    dropManagedFields(event.object);
  }
  return { type: event.type, object: event.object };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Encodes one event as a line. */
export function encodeJsonWatchEvent(event: WireWatchEvent): Uint8Array {
  return concatBytes([encodeJson(event), Uint8Array.of(newline)]);
}
