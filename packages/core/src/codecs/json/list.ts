import type { KubeObject, ListMeta } from "../../api-types.js";
import { tooLarge } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { itemKind, notAList, withTypeMeta } from "../list-metadata.js";
import { WaitingBytes } from "../waiting-bytes.js";
import { decodeJsonObject } from "./decode.js";
import { assertJsonDepth } from "./depth.js";
import { ItemBoundaries } from "./item-boundaries.js";
import { JsonListScanner } from "./list-scanner.js";
import { dropManagedFields, managedFieldsCut } from "./managed-fields.js";
import { ObjectGroups } from "./object-groups.js";
import type { ObjectRange } from "./object-range.js";
import { decodeObjectSpan } from "./object-span.js";
import { parseJson } from "./parse.js";

/**
 * Decodes a list while it arrives. Each item is parsed when it is whole and its bytes are let go. What stands around
 * the items (kind, metadata) is parsed as one small object.
 */
export async function* decodeJsonList(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<ListPart> {
  const reader = new JsonListReader(options);
  for await (const chunk of source) {
    const items = reader.read(chunk);
    if (items.length > 0) {
      yield { ...reader.head(), items };
    }
  }
  yield { items: reader.rest(), ...reader.finish() };
}

const inMetadata = ["metadata"];
const noBytes = new Uint8Array(0);

/** Bytes of items that are parsed together. From 100 kB on V8 takes what it makes for long-lived, which costs more. */
const runBytes = 64 * 1024;

/** Bytes of an item after which guessing where it ends is given up. */
const patientBytes = 128 * 1024;

/** Takes the items out of a list in whatever pieces it arrives. */
class JsonListReader {
  readonly #options: DecodeOptions;
  readonly #maxObjectBytes: number;
  readonly #maxDepth: number;
  readonly #scanner = new JsonListScanner();
  readonly #boundaries = new ItemBoundaries();
  readonly #groups = new ObjectGroups();
  readonly #waiting = new WaitingBytes();
  #head: ListHead | undefined;
  #itemKind: string | undefined;

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#maxObjectBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
    this.#maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
  }

  /** What stands before the items. */
  head(): ListHead {
    if (this.#head === undefined) {
      this.#head = readHead(this.#scanner.frame(), false);
      this.#itemKind = itemKind(this.#head.kind);
    }
    return this.#head;
  }

  /** The items that the next bytes complete. */
  read(chunk: Uint8Array): KubeObject[] {
    const items = this.#read(this.#waiting.append(chunk), true);
    if (this.#waiting.length > this.#maxObjectBytes) {
      const what = this.#scanner.insideItems ? "a list item" : "what surrounds a list's items";
      throw tooLarge(what, this.#maxObjectBytes, "maxObjectBytes");
    }
    return items;
  }

  /** The items that were waiting for the beginning of the next one. */
  rest(): KubeObject[] {
    return this.#read(this.#waiting.append(noBytes), false);
  }

  /** What stands around the items, when the list is over. */
  finish(): ListHead {
    if (!this.#scanner.complete) {
      throw this.#scanner.started
        ? decodeError("the list ends in the middle")
        : decodeError("the body is empty or not JSON where a list was expected");
    }
    return readHead(this.#scanner.frame(), true);
  }

  #read(buffer: Buffer, moreComes: boolean): KubeObject[] {
    const scanner = this.#scanner;
    const items: KubeObject[] = [];
    let at = 0;
    // Up to where items are tried one by one, after several at once were guessed wrong.
    let carefulUntil = 0;
    for (;;) {
      if (scanner.betweenItems && this.#boundaries.known) {
        const guess = this.#guess(buffer, at, at < carefulUntil);
        const end = guess.at(-1)?.end ?? at;
        const found = guess.length > 0 ? this.#tryItems(buffer, at, guess) : undefined;
        if (found !== undefined) {
          for (const item of found) {
            items.push(this.#complete(item));
          }
          at = end;
          continue;
        }
        if (end > at && at >= carefulUntil) {
          carefulUntil = end;
          continue;
        }
        if (end > at) {
          this.#boundaries.wrong();
        } else if (moreComes && buffer.length - at < patientBytes) {
          break;
        }
      }
      const range = scanner.next(buffer, at);
      at = scanner.keepFrom;
      if (range === undefined) {
        break;
      }
      items.push(this.#complete(this.#item(buffer, range)));
      this.#boundaries.learn(buffer, range);
    }
    this.#waiting.keepFrom(at);
    return items;
  }

  /** Where items may stand behind the comma at `from`: one range around them all, where nobody asks about each. */
  #guess(buffer: Buffer, from: number, careful: boolean): ObjectRange[] {
    if (careful) {
      return this.#boundaries.run(buffer, from, 1);
    }
    if (this.#options.managedFields === false || this.#maxObjectBytes < runBytes) {
      return this.#boundaries.run(buffer, from, runBytes);
    }
    const end = this.#boundaries.lastEnd(buffer, from, runBytes);
    return end === undefined ? [] : [{ start: from + 1, end }];
  }

  /** The items behind the comma at `from`, if a guess is right. */
  #tryItems(buffer: Buffer, from: number, guess: readonly ObjectRange[]): unknown[] | undefined {
    for (const { start, end } of guess) {
      this.#check(buffer, start, end);
    }
    if (guess.length === 1 && this.#options.managedFields !== false) {
      return decodeObjectSpan(buffer, from, guess[0]?.end ?? from);
    }
    for (const range of guess) {
      const cut =
        this.#options.managedFields === false
          ? managedFieldsCut(buffer, range.start, range.end, inMetadata)
          : undefined;
      this.#groups.add(buffer, range, cut);
    }
    return this.#groups.parse();
  }

  #check(buffer: Buffer, start: number, end: number): void {
    if (end - start > this.#maxObjectBytes) {
      throw tooLarge("a list item", this.#maxObjectBytes, "maxObjectBytes");
    }
    assertJsonDepth(buffer, start, end, this.#maxDepth);
  }

  #item(buffer: Buffer, { start, end }: ObjectRange): unknown {
    this.#check(buffer, start, end);
    return decodeJsonObject(buffer, start, end, this.#options);
  }

  /** What the server leaves out of items, and nothing of what the caller leaves out. */
  #complete(item: unknown): KubeObject {
    if (this.#options.managedFields === false) {
      dropManagedFields(item);
    }
    const { apiVersion } = this.head();
    return withTypeMeta(item, apiVersion, this.#itemKind) as KubeObject;
  }
}

interface ListHead {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
}

/** What stands around the items: before the end, only what came before them is known. */
function readHead(frame: Uint8Array, whole: boolean): ListHead {
  const object = parseJson(frame, 0, frame.byteLength) as
    | (Partial<ListHead> & { items?: unknown })
    | null;
  const items = object?.items;
  if (
    typeof object !== "object" ||
    object === null ||
    (whole && items !== null && !Array.isArray(items))
  ) {
    throw notAList(object);
  }
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}
