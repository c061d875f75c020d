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
import { EmptyEnvelope, readEnvelope } from "./envelope.js";
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
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const waiting = new WaitingBytes();
  const whole: DecodeOptions = { ...options, projection: undefined };
  reclaimChunks(source);
  const envelope = new EmptyEnvelope();
  let wanted = lengthBytes;
  try {
    for await (const first of source) {
      const events: WireWatchEvent[] = [];
      let left: Uint8Array | undefined = first;
      try {
        for (; left !== undefined; left = left.byteLength > 0 ? left : takeArrived(source)) {
          const { bytes, rest } = waiting.appendUpTo(wanted, left);
          let at = 0;
          wanted = lengthBytes;
          while (bytes.length - at >= lengthBytes) {
            const length = bytes.readUInt32BE(at);
            if (length > maxBytes) {
              throw tooLarge("a watch event", maxBytes, "maxObjectBytes");
            }
            const end = at + lengthBytes + length;
            if (end > bytes.length) {
              wanted = lengthBytes + length;
              break;
            }
            const type = readEvent(bytes, at + lengthBytes, end, envelope);
            const { apiVersion, kind } = envelope;
            if (loadedMessageType(apiVersion, kind) === undefined) {
              await loadMessageType(apiVersion, kind);
            }
            const object = decodeEnvelope(
              bytes,
              envelope,
              hasProjectedObject(type) ? options : whole,
            );
            events.push({ type, object });
            at = end;
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
