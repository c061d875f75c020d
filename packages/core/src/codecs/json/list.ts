import type { KubeObject, ListMeta } from "../../api-types.js";
import { tooLarge } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import { reclaimChunks } from "../../reclaimed-bytes.js";
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
  reclaimChunks(source);
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

/**
 * Bytes of items that are parsed together. V8 puts what a text of more than 100 KiB holds where it stays, in place of copying
 * it twice: a quarter less work for a list that is kept. A text of more than 128 KiB would be a large object of its own.
 */
const runBytes = 124 * 1024;
/** The same for items of which managedFields are cut out, a third as a rule; and how much text is enough then. */
const lavishRunBytes = 192 * 1024;
const enoughTextBytes = 104 * 1024;
/** A list of more bytes than this is read in runs as long as that; the items of a smaller one are there as they come. */
const smallListBytes = 256 * 1024;

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
  /** How many bytes came so far. */
  #seen = 0;
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
      this.#head = readHead(this.#scanner.frame(), false, this.#maxDepth);
      this.#itemKind = itemKind(this.#head.kind);
    }
    return this.#head;
  }

  /** The items that the next bytes complete. */
  read(chunk: Uint8Array): KubeObject[] {
    this.#seen += chunk.byteLength;
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
    return readHead(this.#scanner.frame(), true, this.#maxDepth);
  }

  #read(buffer: Buffer, moreComes: boolean): KubeObject[] {
    const scanner = this.#scanner;
    const items: KubeObject[] = [];
    let at = 0;
    // Up to where items are tried one by one, after several at once were guessed wrong.
    let carefulUntil = 0;
    for (;;) {
      if (scanner.betweenItems && this.#boundaries.known) {
        if (moreComes && this.#isWorthWaiting(buffer.length - at)) {
          break;
        }
        const guess = this.#guess(buffer, at, at < carefulUntil);
        const found = guess.length > 0 ? this.#tryItems(buffer, at, guess) : undefined;
        if (found !== undefined) {
          for (const item of found.items) {
            items.push(this.#complete(item));
          }
          at = found.end;
          continue;
        }
        const end = guess.at(-1)?.end ?? at;
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

  get #runBytes(): number {
    return this.#options.managedFields === false ? lavishRunBytes : runBytes;
  }

  /** Whether a run will be longer when more has come. */
  #isWorthWaiting(bytes: number): boolean {
    const wanted = this.#runBytes;
    return bytes < wanted && this.#seen > smallListBytes && this.#maxObjectBytes > 2 * wanted;
  }

  /** Where items may stand behind the comma at `from`: one range around them all, where nobody asks about each. */
  #guess(buffer: Buffer, from: number, careful: boolean): ObjectRange[] {
    if (careful) {
      return this.#boundaries.run(buffer, from, 1);
    }
    if (this.#options.managedFields === false || this.#maxObjectBytes < runBytes) {
      return this.#boundaries.run(buffer, from, this.#runBytes);
    }
    const end = this.#boundaries.lastEnd(buffer, from, runBytes);
    return end === undefined ? [] : [{ start: from + 1, end }];
  }

  /** The items behind the comma at `from`, if a guess is right, and where the last of them ends. */
  #tryItems(
    buffer: Buffer,
    from: number,
    guess: readonly ObjectRange[],
  ): { readonly items: readonly unknown[]; readonly end: number } | undefined {
    let end = from;
    if (guess.length === 1 && this.#options.managedFields !== false) {
      end = guess[0]?.end ?? from;
      this.#check(buffer, from + 1, end, runBytes);
      const items = decodeObjectSpan(buffer, from, end);
      return items && { items, end };
    }
    for (const range of guess) {
      this.#check(buffer, range.start, range.end);
      const cut =
        this.#options.managedFields === false
          ? managedFieldsCut(buffer, range.start, range.end, inMetadata)
          : undefined;
      end = range.end;
      if (this.#groups.add(buffer, range, cut) >= enoughTextBytes) {
        break;
      }
    }
    const items = this.#groups.parse();
    return items && { items, end };
  }

  #check(buffer: Buffer, start: number, end: number, uncountedBytes?: number): void {
    if (end - start > this.#maxObjectBytes) {
      throw tooLarge("a list item", this.#maxObjectBytes, "maxObjectBytes");
    }
    assertJsonDepth(buffer, start, end, this.#maxDepth, uncountedBytes);
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
function readHead(frame: Uint8Array, whole: boolean, maxDepth: number): ListHead {
  assertJsonDepth(frame, 0, frame.byteLength, maxDepth);
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
  if (whole && Array.isArray(items) && items.length > 0) {
    // The scanner takes the items out; only under a key that is spelled otherwise does it leave them in.
    throw decodeError("the key of the list's items is written with escapes");
  }
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}
