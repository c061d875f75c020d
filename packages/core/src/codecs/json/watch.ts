import { concatBytes, tooLarge } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import { reclaimChunks } from "../../reclaimed-bytes.js";
import type { DecodeOptions, WireWatchEvent } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { WaitingBytes } from "../waiting-bytes.js";
import { decodeJsonObject } from "./decode.js";
import { assertJsonDepth } from "./depth.js";
import { encodeJson } from "./encode.js";
import { dropManagedFields, managedFieldsCut } from "./managed-fields.js";
import { ObjectGroups } from "./object-groups.js";
import type { ObjectRange } from "./object-range.js";
import { newline } from "./tokens.js";

const inObjectMetadata = ["object", "metadata"];

/** Bytes of events that are parsed together at most. */
const runBytes = 64 * 1024;

/** Events of at least so many bytes on average are parsed one by one: putting them together costs more than it saves. */
const largeEventBytes = 2 * 1024;

/** Splits a watch at 0x0A, and only there: U+2028 and a bare CR may stand inside an event. */
export async function* decodeJsonWatch(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<readonly WireWatchEvent[]> {
  const reader = new JsonWatchReader(options);
  reclaimChunks(source);
  for await (const chunk of source) {
    yield* reader.read(chunk);
  }
  yield* reader.rest();
}

class JsonWatchReader {
  readonly #options: DecodeOptions;
  readonly #maxBytes: number;
  readonly #maxDepth: number;
  readonly #waiting = new WaitingBytes();
  readonly #groups = new ObjectGroups();
  /** How many of the bytes that wait have no newline. */
  #searched = 0;

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
    this.#maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
  }

  /** The events that the next bytes complete. */
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

  /** The last event needs no newline; one that is cut in the middle does not parse and is reported. */
  rest(): Iterable<readonly WireWatchEvent[]> {
    return this.read(Uint8Array.of(newline));
  }

  *#events(buffer: Buffer, run: readonly ObjectRange[]): Iterable<readonly WireWatchEvent[]> {
    const together = this.#gainTogether(run) ? this.#tryTogether(buffer, run) : undefined;
    if (together !== undefined) {
      yield together;
      return;
    }
    const events: WireWatchEvent[] = [];
    try {
      for (const range of run) {
        events.push(this.#event(buffer, range));
      }
    } catch (error) {
      // What came before the bad line is good, and the place to go on from.
      if (events.length > 0) {
        yield events;
      }
      throw error;
    }
    if (events.length > 0) {
      yield events;
    }
  }

  /** What managedFields are cut out of has to be put together anyway; else only the small ones gain. */
  #gainTogether(run: readonly ObjectRange[]): boolean {
    const bytes = (run.at(-1)?.end ?? 0) - (run[0]?.start ?? 0);
    const areSmall = bytes < run.length * largeEventBytes;
    return run.length > 1 && (areSmall || this.#options.managedFields === false);
  }

  /** The events of several lines, if nothing is wrong with any of them. */
  #tryTogether(buffer: Buffer, run: readonly ObjectRange[]): WireWatchEvent[] | undefined {
    if (run.some(({ start, end }) => end - start > Math.min(this.#maxBytes, runBytes))) {
      return undefined;
    }
    const { managedFields } = this.#options;
    for (const range of run) {
      const cut =
        managedFields === false
          ? managedFieldsCut(buffer, range.start, range.end, inObjectMetadata)
          : undefined;
      this.#groups.add(buffer, range, cut);
    }
    const events = this.#groups.parse();
    return events?.every(isEvent) ? events.map((event) => this.#complete(event)) : undefined;
  }

  #event(buffer: Buffer, { start, end }: ObjectRange): WireWatchEvent {
    if (end - start > this.#maxBytes) {
      throw tooLarge("a watch event", this.#maxBytes, "maxObjectBytes");
    }
    assertJsonDepth(buffer, start, end, this.#maxDepth);
    const event = decodeJsonObject(buffer, start, end, this.#options, inObjectMetadata);
    if (!isEvent(event)) {
      throw decodeError("a line of the watch is not an event with type and object");
    }
    return this.#complete(event);
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
