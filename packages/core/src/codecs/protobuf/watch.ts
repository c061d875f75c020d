import { tooLarge } from "../../bytes/bytes.js";
import { reclaimChunks, takeArrived } from "../../bytes/reclaimed-bytes.js";
import { defaultLimits } from "../../options/limits.js";
import { hasProjectedObject } from "../../projection/project-value.js";
import type { DecodeOptions, WireWatchEvent } from "../codec.js";
import { outEntry, readString, releaseStrings } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { WaitingBytes } from "../waiting-bytes.js";
import { decodeEnvelope } from "./decode.js";
import { encodeProtobuf } from "./encode.js";
import { EmptyEnvelope, type Envelope, readEnvelope } from "./envelope.js";
import { endOfSingle, outSingleStart } from "./forms.js";
import { loadedMessageType, loadMessageType } from "./message-type.js";
import { ReverseWriter } from "./reverse-writer.js";
import { lengthDelimitedEnd, outPosition, readVarint, skipField } from "./wire.js";

const lengthBytes = 4;

/** Decodes a watch. Each frame is a 4-byte length (big-endian) and a WatchEvent, whose object has its own envelope. */
export async function* decodeProtobufWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const waiting = new WaitingBytes();
  const frames = new FrameReader(options);
  reclaimChunks(source);
  try {
    for await (const first of source) {
      const events: WireWatchEvent[] = [];
      let left: Uint8Array | undefined = first;
      try {
        for (; left !== undefined; left = left.byteLength > 0 ? left : takeArrived(source)) {
          const { bytes, rest } = waiting.appendUpTo(frames.wanted, left);
          let at = frames.read(bytes, 0, events);
          while (frames.lacksTables) {
            await frames.loadTables();
            at = frames.read(bytes, at, events);
          }
          waiting.keepFrom(at);
          left = rest;
        }
      } catch (error) {
        // The events before the bad frame are valid; the caller can resume from the last one.
        if (events.length > 0) {
          yield events;
        }
        throw error;
      }
      if (events.length > 0) {
        yield events;
      }
    }
  } finally {
    releaseStrings();
  }
  if (waiting.length > 0) {
    throw decodeError("the watch ends in the middle of an event");
  }
}

/**
 * Reads the frames of a watch. A loop of its own: V8 compiles a generator late, and its code is no use once the watch
 * has ended.
 */
class FrameReader {
  /** Number of bytes that the next frame needs, as far as that is known. */
  wanted: number = lengthBytes;
  /** `true` when reading stopped before an event whose kind needs {@link loadTables}. */
  lacksTables = false;
  readonly #options: DecodeOptions;
  /** Options for events whose object is not projected. */
  readonly #whole: DecodeOptions;
  readonly #maxBytes: number;
  readonly #envelope = new EmptyEnvelope();
  /** `true` when tables were loaded for the next event, which is decoded whether or not they were found. */
  #hasLoaded = false;

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#whole = { ...options, projection: undefined };
    this.#maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  }

  /** Loads the tables of the kind of the next event. */
  async loadTables(): Promise<void> {
    await loadMessageType(this.#envelope.apiVersion, this.#envelope.kind);
    this.lacksTables = false;
    this.#hasLoaded = true;
  }

  /**
   * Adds the events of all complete frames from `start` on.
   *
   * @returns the end of the last frame that was read.
   */
  read(bytes: Buffer, start: number, events: WireWatchEvent[]): number {
    const envelope = this.#envelope;
    let at = start;
    this.wanted = lengthBytes;
    while (bytes.length - at >= lengthBytes) {
      const length = bytes.readUInt32BE(at);
      if (length > this.#maxBytes) {
        throw tooLarge("a watch event", this.#maxBytes, "maxObjectBytes");
      }
      const end = at + lengthBytes + length;
      if (end > bytes.length) {
        this.wanted = lengthBytes + length;
        break;
      }
      const type = readEvent(bytes, at + lengthBytes, end, envelope);
      if (!this.#hasLoaded && !isLoaded(envelope)) {
        this.lacksTables = true;
        break;
      }
      this.#hasLoaded = false;
      const options = hasProjectedObject(type) ? this.#options : this.#whole;
      events.push({ type, object: decodeEnvelope(bytes, envelope, options) });
      at = end;
    }
    return at;
  }
}

function isLoaded({ apiVersion, kind }: Envelope): boolean {
  return loadedMessageType(apiVersion, kind) !== undefined;
}

/** Common string that was the last event's type. */
let likelyType = 0;

/**
 * Reads a meta/v1 WatchEvent: field 1 is the type, field 2 a RawExtension with the object's bytes.
 *
 * @param envelope - set to that of the object.
 * @returns the type.
 */
function readEvent(bytes: Buffer, start: number, end: number, envelope: EmptyEnvelope): string {
  let type = "";
  let hasObject = false;
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === 10) {
      at = lengthDelimitedEnd(bytes, outPosition, end);
      type = readString(bytes, outPosition, at, likelyType);
      likelyType = outEntry;
    } else if (tag === 18) {
      at = lengthDelimitedEnd(bytes, outPosition, end);
      const rawEnd = endOfSingle(bytes, outPosition, at);
      hasObject = rawEnd >= 0;
      if (hasObject) {
        readEnvelope(bytes, outSingleStart, rawEnd, envelope);
      }
    } else {
      at = skipField(bytes, tag, outPosition, end);
    }
  }
  if (!hasObject) {
    throw decodeError("a watch event has no object");
  }
  return type;
}

/** Encodes one event with its length in front. */
export async function encodeProtobufWatchEvent(event: WireWatchEvent): Promise<Uint8Array> {
  const object = await encodeProtobuf(event.object);
  const writer = new ReverseWriter();
  const end = writer.mark();
  writer.bytes(object);
  writer.tag(10);
  writer.lengthSince(end);
  writer.tag(18);
  writer.text(event.type);
  writer.tag(10);
  writer.fixed32BE(writer.mark());
  return writer.finish();
}
