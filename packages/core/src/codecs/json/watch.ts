import { asBuffer, concatBytes, tooLarge } from "../../bytes/bytes.js";
import { reclaimChunks, takeArrived } from "../../bytes/reclaimed-bytes.js";
import type { KubeObject } from "../../objects/api-types.js";
import { defaultLimits } from "../../options/limits.js";
import { hasProjectedObject, projectEvent } from "../../projection/project-value.js";
import type { DecodeOptions, WireWatchEvent } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { WaitingBytes } from "../waiting-bytes.js";
import { decodeJsonObject } from "./decode.js";
import { assertJsonDepth } from "./depth.js";
import { encodeJson } from "./encode.js";
import { dropManagedFields } from "./managed-fields.js";
import { type KindShape, shapesOfKind } from "./shape.js";
import { outObjectEnd, readShapedObject, releaseReader } from "./shaped-reader.js";
import { newline } from "./tokens.js";

const inObjectMetadata = ["object", "metadata"];

const nothing = new Uint8Array(0);

/** Bytes of one chunk after which its events are yielded, before further ones are decoded. */
const groupBytes = 64 * 1024;

/** Decodes a watch, split at 0x0A only: U+2028 and a bare CR may occur inside an event. */
export async function* decodeJsonWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const lines = new LineReader(options);
  reclaimChunks(source);
  for await (const first of source) {
    let events: WireWatchEvent[] = [];
    try {
      for (let chunk: Uint8Array | undefined = first; chunk !== undefined; ) {
        for (let at = 0; at < chunk.byteLength; at += groupBytes) {
          if (at > 0 && events.length > 0) {
            yield events;
            events = [];
          }
          lines.read(partOf(chunk, at), events);
        }
        chunk = takeArrived(source);
      }
    } catch (error) {
      // The events before the bad line are valid; the caller can resume from the last one.
      if (events.length > 0) {
        yield events;
      }
      throw error;
    } finally {
      releaseReader();
    }
    if (events.length > 0) {
      yield events;
    }
  }
  const last: WireWatchEvent[] = [];
  try {
    lines.end(last);
  } finally {
    releaseReader();
  }
  if (last.length > 0) {
    yield last;
  }
}

/** Returns the bytes of one group: most chunks have no more. */
function partOf(chunk: Uint8Array, at: number): Uint8Array {
  return chunk.byteLength <= groupBytes ? chunk : chunk.subarray(at, at + groupBytes);
}

/**
 * Reads the lines of a watch. Not part of the generator: V8 compiles a generator late, and its code is no use once the
 * watch has ended.
 */
class LineReader {
  readonly #options: DecodeOptions;
  readonly #maxBytes: number;
  readonly #maxDepth: number;
  /** The beginning of a line that is not complete. */
  readonly #waiting = new WaitingBytes();
  /** Shape of the watch's events; known after the first event. */
  #shape: KindShape | undefined;

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
    this.#maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
  }

  /** Adds the events that the next bytes complete. */
  read(chunk: Uint8Array, events: WireWatchEvent[]): void {
    const bytes = asBuffer(chunk);
    let start = 0;
    let end = bytes.indexOf(newline);
    if (end >= 0 && this.#waiting.length > 0) {
      // Only this line is joined: joining the whole chunk to what waits would copy the whole stream.
      this.#join(bytes.subarray(0, end), events);
      start = end + 1;
      end = bytes.indexOf(newline, start);
    }
    for (; end >= 0; end = bytes.indexOf(newline, start)) {
      this.#add(bytes, start, end, events);
      start = end + 1;
    }
    if (start < bytes.length) {
      this.#waiting.append(start === 0 ? bytes : bytes.subarray(start));
      this.#waiting.keepFrom(0);
    }
    if (this.#waiting.length > this.#maxBytes) {
      throw tooLarge("a watch event", this.#maxBytes, "maxObjectBytes");
    }
  }

  /** Adds the last event, which needs no newline. A truncated event does not parse and is reported. */
  end(events: WireWatchEvent[]): void {
    this.#join(nothing, events);
  }

  /** Adds the event of the line that waits, with its last bytes. */
  #join(last: Uint8Array, events: WireWatchEvent[]): void {
    const line = this.#waiting.append(last);
    this.#add(line, 0, line.length, events);
    this.#waiting.keepFrom(line.length);
  }

  #add(bytes: Buffer, start: number, end: number, events: WireWatchEvent[]): void {
    if (!isBlank(bytes, start, end)) {
      const { type, object } = this.#event(bytes, start, end);
      if (this.#options.managedFields === false) {
        dropManagedFields(object);
      }
      events.push({ type, object });
    }
  }

  #event(buffer: Buffer, start: number, end: number): WireWatchEvent {
    if (end - start > this.#maxBytes) {
      throw tooLarge("a watch event", this.#maxBytes, "maxObjectBytes");
    }
    assertJsonDepth(buffer, start, end, this.#maxDepth);
    if (this.#shape !== undefined && !this.#shape.isForgotten) {
      const event = readShapedObject(buffer, start, end, this.#shape, this.#options);
      if (isEvent(event) && outObjectEnd === end) {
        const isKept = this.#options.projection === undefined || hasProjectedObject(event.type);
        if (isKept) {
          return event;
        }
      }
    }
    const event = decodeJsonObject(buffer, start, end, this.#options, inObjectMetadata);
    if (!isEvent(event)) {
      throw decodeError("a line of the watch is not an event with type and object");
    }
    const { apiVersion, kind } = event.object as Partial<KubeObject>;
    if (this.#shape === undefined || this.#shape.isForgotten) {
      this.#shape = shapesOfKind(apiVersion, kind, this.#options.projection).event;
    }
    return projectEvent(event, this.#options.projection);
  }
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = buffer[at];
    if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) {
      return false;
    }
  }
  return true;
}

function isEvent(value: unknown): value is WireWatchEvent {
  const { type, object } = (value ?? {}) as Partial<WireWatchEvent>;
  return (
    typeof type === "string" &&
    typeof object === "object" &&
    object !== null &&
    !Array.isArray(object)
  );
}

/** Encodes one event as a line. */
export function encodeJsonWatchEvent(event: WireWatchEvent): Uint8Array {
  return concatBytes([encodeJson(event), Uint8Array.of(newline)]);
}
