import { concatBytes, tooLarge } from "../../bytes/bytes.js";
import { reclaimChunks } from "../../bytes/reclaimed-bytes.js";
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
import type { ObjectRange } from "./object-range.js";
import { type KindShape, shapesOfKind } from "./shape.js";
import { outObjectEnd, readShapedObject, releaseReader } from "./shaped-reader.js";
import { newline } from "./tokens.js";

const inObjectMetadata = ["object", "metadata"];

/** Bytes of events after which these are yielded together, even if more have arrived. */
const runBytes = 64 * 1024;

/** Decodes a watch, split at 0x0A only: U+2028 and a bare CR may occur inside an event. */
export async function* decodeJsonWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const reader = new JsonWatchReader(options);
  reclaimChunks(source);
  for await (const chunk of source) {
    // Not `yield*`, which would make several promises for each group.
    for (const events of reader.read(chunk)) {
      yield events;
    }
  }
  yield* reader.rest();
}

class JsonWatchReader {
  readonly #options: DecodeOptions;
  readonly #maxBytes: number;
  readonly #maxDepth: number;
  readonly #waiting = new WaitingBytes();
  /** Shape of the watch's events; known after the first event. */
  #shape: KindShape | undefined;
  /** Number of waiting bytes without a newline. */
  #searched = 0;

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
    this.#maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
  }

  /** Yields the events that the next bytes complete. */
  *read(chunk: Uint8Array): Iterable<readonly WireWatchEvent[]> {
    const buffer = this.#waiting.append(chunk);
    let start = 0;
    let run: ObjectRange[] = [];
    let runStart = 0;
    for (
      let end = buffer.indexOf(newline, this.#searched);
      end >= 0;
      end = buffer.indexOf(newline, start)
    ) {
      if (!isBlank(buffer, start, end)) {
        run.push({ start, end });
      }
      start = end + 1;
      if (start - runStart >= runBytes) {
        yield* this.#events(buffer, run);
        run = [];
        runStart = start;
      }
    }
    yield* this.#events(buffer, run);
    this.#waiting.keepFrom(start);
    this.#searched = this.#waiting.length;
    if (this.#searched > this.#maxBytes) {
      throw tooLarge("a watch event", this.#maxBytes, "maxObjectBytes");
    }
  }

  /** Yields the last event, which needs no newline. A truncated event does not parse and is reported. */
  rest(): Iterable<readonly WireWatchEvent[]> {
    return this.read(Uint8Array.of(newline));
  }

  *#events(buffer: Buffer, run: readonly ObjectRange[]): Iterable<readonly WireWatchEvent[]> {
    const events: WireWatchEvent[] = [];
    try {
      for (const range of run) {
        events.push(this.#complete(this.#event(buffer, range)));
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

  #event(buffer: Buffer, { start, end }: ObjectRange): WireWatchEvent {
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

  #complete({ type, object }: WireWatchEvent): WireWatchEvent {
    if (this.#options.managedFields === false) {
      dropManagedFields(object);
    }
    return { type, object };
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
