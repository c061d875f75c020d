import type { Buffer } from "node:buffer";
import { tooLarge } from "../../bytes/bytes.js";
import type { KubeObject } from "../../objects/api-types.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { itemKind, type ListHead, listHead, notAList, withTypeMeta } from "../list-metadata.js";
import { ItemReader, incomplete } from "./item-reader.js";
import { roles } from "./roles.js";
import type { TypeMeta } from "./type-meta.js";
import { argumentBytes, breakByte, infos, majorTypes, outPosition, readArgument } from "./wire.js";

/** Next element that the reader expects. */
type State = "list" | "key" | "value" | "items" | "item" | "end";

/**
 * Reads a list that arrives in chunks of any size.
 *
 * The server writes the list's fields in random order, and items of built-in kinds carry no kind. Items that arrive
 * before the list's kind and apiVersion are held back, already decoded, until both are known. Nothing is held back when
 * the items carry their kind (custom resources), or in the other half of the orders.
 */
export class ListReader {
  /** Position up to which the last bytes were read. The caller must pass the rest again, in front of the next bytes. */
  position = 0;
  #state: State = "list";
  /** Fields and items left; negative when a break ends them. */
  #fieldsLeft = 0;
  #itemsLeft = 0;
  #key = "";
  #fieldBytes = 0;
  #hasItems = false;
  #head: ListHead = listHead({});
  /** Kind and apiVersion that the items lack, once known. */
  #typeMeta: TypeMeta | undefined;
  #held: unknown[] = [];
  /** Fields around the items; all fields of a Status or another object that has no items. */
  readonly #fields = new Map<string, unknown>();
  readonly #maxBytes: number;
  readonly #itemReader: ItemReader;
  readonly #fieldReader: ItemReader;

  constructor(maxBytes: number, options: DecodeOptions) {
    this.#maxBytes = maxBytes;
    this.#itemReader = new ItemReader("a list item", maxBytes, options);
    this.#fieldReader = new ItemReader(surroundings, maxBytes, options);
  }

  /** Returns the list metadata known so far. */
  get head(): ListHead {
    return this.#head;
  }

  /** Reads bytes and returns the items that are whole and whose kind is known. */
  read(bytes: Buffer): KubeObject[] {
    const items: unknown[] = [];
    this.position = 0;
    while (this.position < bytes.length && this.#step(bytes, items)) {}
    return this.#released(items);
  }

  /** Ends the list. Returns the items that were held back for a kind that never arrived. */
  finish(): KubeObject[] {
    if (this.#state === "list") {
      throw decodeError("the body is empty or truncated where a list was expected");
    }
    if (this.#state !== "end") {
      throw decodeError("the list ends in the middle");
    }
    if (!this.#hasItems) {
      throw notAList(Object.fromEntries(this.#fields));
    }
    return this.#withTypeMeta(this.#held);
  }

  /** Reads one element; false when the bytes do not hold it whole. */
  #step(bytes: Buffer, items: unknown[]): boolean {
    switch (this.#state) {
      case "list":
        return this.#readListHead(bytes);
      case "key":
        return this.#readKey(bytes);
      case "value":
        return this.#readValue(bytes);
      case "items":
        return this.#readItemsHead(bytes);
      case "item":
        return this.#readItem(bytes, items);
      case "end":
        throw decodeError("the list is followed by something else");
      default:
        return this.#state satisfies never;
    }
  }

  #readListHead(bytes: Buffer): boolean {
    const head = this.#readHead(bytes);
    if (head === undefined) {
      return false;
    }
    if (head.type === majorTypes.map) {
      this.#fieldsLeft = head.argument;
      this.#nextField();
    } else if (head.type !== majorTypes.tag) {
      throw notAList(undefined);
    }
    return true;
  }

  #nextField(): void {
    this.#state = this.#fieldsLeft === 0 ? "end" : "key";
  }

  #readKey(bytes: Buffer): boolean {
    if (this.#fieldsLeft < 0 && this.#isFresh(this.#fieldReader) && this.#readBreak(bytes)) {
      this.#state = "end";
      return true;
    }
    const key = this.#readField(bytes);
    if (key === incomplete) {
      return false;
    }
    if (typeof key !== "string") {
      throw decodeError("the key of a map is not a string");
    }
    if (this.#fields.has(key) || (key === "items" && this.#hasItems)) {
      throw decodeError("a map has a duplicate key");
    }
    this.#fieldsLeft--;
    this.#key = key;
    this.#state = key === "items" ? "items" : "value";
    return true;
  }

  #readValue(bytes: Buffer): boolean {
    const value = this.#readField(bytes);
    if (value === incomplete) {
      return false;
    }
    // Go writes null for a nil list.
    if (this.#key === "items" && value === null) {
      this.#hasItems = true;
    } else {
      this.#fields.set(this.#key, value);
      if (this.#key === "apiVersion" || this.#key === "kind" || this.#key === "metadata") {
        this.#head = listHead(Object.fromEntries(this.#fields));
      }
    }
    this.#nextField();
    return true;
  }

  /** Reads a key or value outside of the items. These are all kept, so together they may be as large as one item. */
  #readField(bytes: Buffer): unknown {
    const start = this.position;
    const value = this.#fieldReader.read(bytes, start, roles.value);
    this.position = this.#fieldReader.position;
    this.#fieldBytes += this.position - start;
    if (this.#fieldBytes > this.#maxBytes) {
      throw tooLarge(surroundings, this.#maxBytes, "maxObjectBytes");
    }
    return value;
  }

  #readItemsHead(bytes: Buffer): boolean {
    const start = this.position;
    const head = this.#readHead(bytes);
    if (head === undefined) {
      return false;
    }
    if (head.type === majorTypes.array) {
      this.#hasItems = true;
      this.#typeMeta = this.#readTypeMeta();
      this.#itemsLeft = head.argument;
      this.#state = "item";
      this.#endItems();
    } else if (head.type !== majorTypes.tag) {
      this.position = start;
      this.#state = "value";
    }
    return true;
  }

  #readTypeMeta(): TypeMeta | undefined {
    const apiVersion = this.#head.apiVersion;
    const kind = itemKind(this.#head.kind);
    return apiVersion === undefined || kind === undefined ? undefined : { kind, apiVersion };
  }

  #endItems(): void {
    if (this.#itemsLeft === 0) {
      this.#nextField();
    }
  }

  #readItem(bytes: Buffer, items: unknown[]): boolean {
    if (this.#itemsLeft < 0 && this.#isFresh(this.#itemReader) && this.#readBreak(bytes)) {
      this.#nextField();
      return true;
    }
    const item = this.#itemReader.read(bytes, this.position, roles.object, this.#typeMeta);
    this.position = this.#itemReader.position;
    if (item === incomplete) {
      return false;
    }
    if (typeof item !== "object" || item === null || Array.isArray(item)) {
      throw decodeError("an item of the list is not an object");
    }
    items.push(item);
    this.#itemsLeft--;
    this.#endItems();
    return true;
  }

  #isFresh(reader: ItemReader): boolean {
    return reader.pendingBytes === 0;
  }

  #readBreak(bytes: Buffer): boolean {
    if (bytes[this.position] !== breakByte) {
      return false;
    }
    this.position++;
    return true;
  }

  /** Reads the head of a map, an array or a tag; `undefined` when it is truncated. */
  #readHead(bytes: Buffer): { type: number; argument: number } | undefined {
    const first = bytes[this.position] as number;
    const start = this.position + 1;
    const info = first & 0x1f;
    if (start + argumentBytes(info) > bytes.length) {
      return undefined;
    }
    if (info === infos.indefinite) {
      this.position = start;
      return { type: first >> 5, argument: -1 };
    }
    const argument = readArgument(bytes, start, bytes.length, info);
    this.position = outPosition;
    return { type: first >> 5, argument };
  }

  #released(items: unknown[]): KubeObject[] {
    const typeKnown = this.#fields.has("kind") && this.#fields.has("apiVersion");
    if (this.#held.length === 0 && (typeKnown || items.every(hasTypeMeta))) {
      return this.#withTypeMeta(items);
    }
    for (const item of items) {
      this.#held.push(item);
    }
    if (!typeKnown) {
      return [];
    }
    const released = this.#held;
    this.#held = [];
    return this.#withTypeMeta(released);
  }

  #withTypeMeta(items: readonly unknown[]): KubeObject[] {
    const apiVersion = this.#head.apiVersion;
    const kind = itemKind(this.#head.kind);
    return items.map((item) => withTypeMeta(item, apiVersion, kind) as KubeObject);
  }
}

const surroundings = "the fields around the items of a list";

function hasTypeMeta(item: unknown): boolean {
  return "kind" in (item as object) && "apiVersion" in (item as object);
}
