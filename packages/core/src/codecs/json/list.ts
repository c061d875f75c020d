import { tooLarge } from "../../bytes/bytes.js";
import { reclaimChunks, takeArrived } from "../../bytes/reclaimed-bytes.js";
import { KubeError } from "../../errors/kube-error.js";
import type { KubeObject } from "../../objects/api-types.js";
import { isJsonObject } from "../../objects/json-value.js";
import { defaultLimits, type Limits } from "../../options/limits.js";
import { projectValue } from "../../projection/project-value.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { itemKind, type ListHead, listHead, notAList, withTypeMeta } from "../list-metadata.js";
import { WaitingBytes } from "../waiting-bytes.js";
import { decodeJsonObject } from "./decode.js";
import { assertJsonDepth } from "./depth.js";
import { ItemBoundaries } from "./item-boundaries.js";
import { JsonListScanner } from "./list-scanner.js";
import { dropManagedFields } from "./managed-fields.js";
import type { ObjectRange } from "./object-range.js";
import { parseJson } from "./parse.js";
import { type KindShape, shapesOfKind } from "./shape.js";
import { outObjectEnd, readShapedObject, releaseReader } from "./shaped-reader.js";

/**
 * Decodes a list while it arrives. Each item is parsed once it is whole, and then its bytes are released. The fields
 * around the items (kind, metadata) are parsed as one small object.
 *
 * Of two equal keys the last one counts, as for servers. The exception is a second key `items` when the first has
 * items, which is rejected however the list is cut into chunks: the first items may already have been yielded.
 *
 * @throws {KubeError} `Decode` for a body that is not a JSON list of objects, `TooLarge` beyond a limit.
 */
export async function* decodeJsonList(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<ListPart> {
  const reader = new JsonListReader(options);
  reclaimChunks(source);
  try {
    for await (const first of source) {
      const items: KubeObject[] = [];
      try {
        let chunk: Uint8Array | undefined = first;
        for (; chunk !== undefined; chunk = takeArrived(source)) {
          reader.read(chunk, items);
        }
      } catch (error) {
        releaseReader();
        if (items.length > 0) {
          yield { ...reader.head(), items };
        }
        throw error;
      }
      releaseReader();
      if (items.length > 0) {
        yield { ...reader.head(), items };
      }
    }
    yield { items: reader.rest(), ...reader.finish() };
  } finally {
    releaseReader();
  }
}

const noBytes = new Uint8Array(0);

/** Item size in bytes above which we stop guessing where it ends. */
const patientBytes = 128 * 1024;

/** Extracts the items of a list that arrives in chunks of any size. */
class JsonListReader {
  readonly #options: DecodeOptions;
  readonly #maxObjectBytes: number;
  readonly #maxDepth: number;
  readonly #scanner = new JsonListScanner();
  readonly #boundaries = new ItemBoundaries();
  readonly #waiting = new WaitingBytes();
  /** Number of waiting bytes that are known to contain no end of an item. */
  #searched = 0;
  /** Number of items read so far, without those of the current bytes. */
  #handedOver = 0;
  #head: ListHead | undefined;
  #itemKind: string | undefined;
  #shape: KindShape | undefined;

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#maxObjectBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
    this.#maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
  }

  /** Returns the fields in front of the items. */
  head(): ListHead {
    if (this.#head === undefined) {
      this.#head = readHead(this.#scanner.frame(), false, this.#options.limits);
      this.#itemKind = itemKind(this.#head.kind);
    }
    return this.#head;
  }

  /** Adds the items that the next bytes complete to `items`. */
  read(chunk: Uint8Array, items: KubeObject[]): void {
    this.#read(this.#waiting.append(chunk), true, items);
    if (this.#waiting.length > this.#maxObjectBytes) {
      const what = this.#scanner.insideItems
        ? "a list item"
        : "the fields around the items of a list";
      throw tooLarge(what, this.#maxObjectBytes, "maxObjectBytes");
    }
  }

  /** Returns the items that were waiting for the beginning of the next one. */
  rest(): KubeObject[] {
    const items: KubeObject[] = [];
    this.#read(this.#waiting.append(noBytes), false, items);
    return items;
  }

  /** Returns the fields around the items, at the end of the list. */
  finish(): ListHead {
    if (!this.#scanner.complete) {
      throw this.#scanner.started
        ? decodeError("the list ends in the middle")
        : decodeError("the body is empty or not JSON where a list was expected");
    }
    return readHead(this.#scanner.frame(), true, this.#options.limits);
  }

  #read(buffer: Buffer, moreComes: boolean, items: KubeObject[]): void {
    const scanner = this.#scanner;
    const itemsBefore = items.length;
    let at = 0;
    for (;;) {
      if (scanner.betweenItems && this.#boundaries.known) {
        const end = this.#boundaries.lastEnd(buffer, at, this.#searched);
        this.#searched = 0;
        if (end !== undefined) {
          at = this.#readItems(buffer, at, end, items);
          if (at === end) {
            continue;
          }
        } else if (moreComes && buffer.length - at < patientBytes) {
          break;
        }
      }
      const itemsKeys = scanner.itemsKeys;
      const range = scanner.next(buffer, at);
      at = scanner.keepFrom;
      if (scanner.itemsKeys > itemsKeys) {
        this.#assertNoItems(items.length - itemsBefore);
      }
      if (range === undefined) {
        break;
      }
      items.push(this.#complete(this.#item(buffer, range)));
      this.#boundaries.learn(buffer, range);
    }
    this.#searched = buffer.length - at;
    this.#waiting.keepFrom(at);
    this.#handedOver += items.length - itemsBefore;
  }

  /**
   * Rejects a second key `items` when the first has items: whether these were already yielded depends on how the list
   * was cut into chunks. Otherwise the last key counts.
   */
  #assertNoItems(itemsAtHand: number): void {
    if (this.#handedOver + itemsAtHand > 0) {
      throw new KubeError(
        "Decode",
        "the list has a duplicate key items, and the first one is not empty",
        {
          hint: "no API server writes such a list: check the proxies in front of the server",
        },
      );
    }
  }

  /**
   * Reads the items after the comma at `from`, up to a guessed end.
   *
   * @returns the end of the last item read, which is before `end` when a guess was wrong.
   */
  #readItems(buffer: Buffer, from: number, end: number, items: KubeObject[]): number {
    const { apiVersion } = this.head();
    const kind = this.#itemKind;
    const typeMeta =
      this.#boundaries.haveTypeMeta || kind === undefined ? undefined : { apiVersion, kind };
    this.#shape ??= shapesOfKind(apiVersion, kind, this.#options.projection).object;
    let at = from;
    while (at < end) {
      const start = at + 1;
      let item: unknown = readShapedObject(
        buffer,
        start,
        end,
        this.#shape,
        this.#options,
        typeMeta,
      );
      let itemEnd = outObjectEnd;
      if (item !== undefined && this.#boundaries.isEnd(buffer, itemEnd)) {
        this.#check(buffer, start, itemEnd);
      } else {
        itemEnd = this.#boundaries.nextEnd(buffer, at) ?? end;
        item = this.#guessedItem(buffer, { start, end: itemEnd });
        if (item === undefined) {
          this.#boundaries.wrong();
          break;
        }
      }
      items.push(this.#complete(item));
      at = itemEnd;
    }
    return at;
  }

  /** Parses an item whose end is a guess; `undefined` when that fails. */
  #guessedItem(buffer: Buffer, range: ObjectRange): unknown {
    try {
      return this.#item(buffer, range);
    } catch (error) {
      if (error instanceof KubeError && error.code === "TooLarge") {
        throw error;
      }
      return undefined;
    }
  }

  #check(buffer: Buffer, start: number, end: number): void {
    if (end - start > this.#maxObjectBytes) {
      throw tooLarge("a list item", this.#maxObjectBytes, "maxObjectBytes");
    }
    assertJsonDepth(buffer, start, end, this.#maxDepth);
  }

  #item(buffer: Buffer, { start, end }: ObjectRange): unknown {
    this.#check(buffer, start, end);
    const item = decodeJsonObject(buffer, start, end, this.#options);
    const { projection } = this.#options;
    return projection === undefined ? item : projectValue(item, projection.root);
  }

  /** Adds the kind and apiVersion that servers omit from items, and drops the managedFields that the caller omits. */
  #complete(item: unknown): KubeObject {
    if (this.#options.managedFields === false) {
      dropManagedFields(item);
    }
    const { apiVersion } = this.head();
    return withTypeMeta(item, apiVersion, this.#itemKind) as KubeObject;
  }
}

/** Parses the fields around the items. Before the end of the list, only those in front of the items are known. */
function readHead(frame: Uint8Array, whole: boolean, limits: Partial<Limits> = {}): ListHead {
  const maxDepth = limits.maxDepth ?? defaultLimits.maxDepth;
  assertJsonDepth(frame, 0, frame.byteLength, maxDepth);
  const object = parseJson(frame, 0, frame.byteLength, limits);
  if (!isJsonObject(object)) {
    throw notAList(object);
  }
  const items = object["items"];
  if (whole && items !== null && !Array.isArray(items)) {
    throw notAList(object);
  }
  if (whole && Array.isArray(items) && items.length > 0) {
    // The scanner removes the items, except under a key written with escapes.
    throw decodeError("the key items of the list contains escapes");
  }
  return listHead(object);
}
