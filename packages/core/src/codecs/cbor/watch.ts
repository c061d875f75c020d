import { asBuffer, concatBytes } from "../../bytes/bytes.js";
import { reclaimChunks } from "../../bytes/reclaimed-bytes.js";
import { isJsonObject } from "../../objects/json-value.js";
import { defaultLimits } from "../../options/limits.js";
import type { DecodeOptions, WireWatchEvent } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { encodeItem } from "./encode.js";
import { ItemReader, incomplete } from "./item-reader.js";
import { roles } from "./roles.js";
import { SelfDescribed } from "./value-writer.js";

/** Decodes the events of a watch. A CBOR sequence has no separators: each event's encoding tells its end. */
export async function* decodeCborWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const reader = new ItemReader("a watch event", maxBytes, options);
  // Bytes of an incomplete item head: at most eight.
  let rest: Uint8Array = new Uint8Array(0);
  reclaimChunks(source);
  for await (const chunk of source) {
    const bytes = asBuffer(rest.byteLength > 0 ? concatBytes([rest, chunk]) : chunk);
    const events: WireWatchEvent[] = [];
    let failure: unknown;
    let at = 0;
    try {
      while (at < bytes.length) {
        const item = reader.read(bytes, at, roles.event);
        at = reader.position;
        if (item === incomplete) {
          break;
        }
        events.push(toEvent(item));
      }
    } catch (error) {
      failure = error;
    }
    // Yield the complete events in front of a malformed or too large one before throwing its error.
    if (events.length > 0) {
      yield events;
    }
    if (failure !== undefined) {
      throw failure;
    }
    rest = Buffer.from(bytes.subarray(at));
  }
  if (rest.byteLength > 0 || reader.pendingBytes > 0) {
    throw decodeError("the watch ends in the middle of an event");
  }
}

function toEvent(item: unknown): WireWatchEvent {
  const event = item as Partial<WireWatchEvent> | null;
  if (typeof event?.type !== "string" || !isJsonObject(event.object)) {
    throw decodeError("an item of the watch is not an event with type and object");
  }
  return { type: event.type, object: event.object };
}

/** Encodes one event. Its object gets a self-described tag of its own, as from the API server. */
export function encodeCborWatchEvent({ type, object }: WireWatchEvent): Uint8Array {
  return encodeItem({ type, object: new SelfDescribed(object) });
}
