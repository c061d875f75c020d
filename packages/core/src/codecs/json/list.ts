import type { KubeObject, ListMeta } from "../../api-types.js";
import { tooLarge } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { itemKind, notAList, withTypeMeta } from "../list-metadata.js";
import { WaitingBytes } from "../waiting-bytes.js";
import { decodeJsonObject, decodeJsonObjects, parseJson } from "./decode.js";
import { assertJsonDepth } from "./depth.js";
import { ItemBoundaries } from "./item-boundaries.js";
import { JsonListScanner } from "./list-scanner.js";
import { dropManagedFields } from "./managed-fields.js";
import type { ObjectRange } from "./object-range.js";
import { openBrace, quote } from "./tokens.js";

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
  readonly #waiting = new WaitingBytes();
  #head: ListHead | undefined;
  /** Text that gives an item its kind and apiVersion. */
  #typeMeta = "";

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#maxObjectBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
    this.#maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
  }

  /** What stands before the items. */
  head(): ListHead {
    if (this.#head === undefined) {
      this.#head = readHead(this.#scanner.frame(), false);
      const { apiVersion, kind } = this.#head;
      const type = itemKind(kind);
      if (type !== undefined && typeof apiVersion === "string") {
        const texts = JSON.stringify({ kind: type, apiVersion });
        this.#typeMeta = `${texts.slice(1, -1)},`;
      }
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
    // Up to where items are tried one by one, after a run of them was guessed wrong.
    let carefulUntil = 0;
    for (;;) {
      if (scanner.betweenItems && this.#boundaries.known) {
        const most = at < carefulUntil ? 1 : Number.POSITIVE_INFINITY;
        const run = this.#boundaries.run(buffer, at, runBytes, most);
        const end = run.at(-1)?.end ?? at;
        const read = run.length > 0 ? this.#tryItems(buffer, run) : undefined;
        if (read !== undefined) {
          items.push(...read);
          at = end;
          continue;
        }
        if (run.length > 1) {
          carefulUntil = end;
          continue;
        }
        if (run.length === 1) {
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
      items.push(this.#item(buffer, range));
      this.#boundaries.learn(buffer, range);
    }
    this.#waiting.keepFrom(at);
    return items;
  }

  /** The items of a run, if that is what stands there. */
  #tryItems(buffer: Buffer, run: readonly ObjectRange[]): KubeObject[] | undefined {
    this.head();
    for (const { start, end } of run) {
      this.#check(buffer, start, end);
      if (buffer[start + 1] !== quote) {
        return undefined;
      }
    }
    const items = decodeJsonObjects(buffer, run, this.#options, this.#typeMeta);
    if (this.#options.managedFields === false) {
      items?.forEach(dropManagedFields);
    }
    return items as KubeObject[] | undefined;
  }

  #check(buffer: Buffer, start: number, end: number): void {
    if (end - start > this.#maxObjectBytes) {
      throw tooLarge("a list item", this.#maxObjectBytes, "maxObjectBytes");
    }
    assertJsonDepth(buffer, start, end, this.#maxDepth);
  }

  #item(buffer: Buffer, { start, end }: ObjectRange): KubeObject {
    this.#check(buffer, start, end);
    const head = this.head();
    // Text is put in front of the first key where that is what follows the brace.
    const isKeyed = buffer[start] === openBrace && buffer[start + 1] === quote;
    const typeMeta = isKeyed ? this.#typeMeta : "";
    const item = decodeJsonObject(buffer, start, end, this.#options, typeMeta);
    if (this.#options.managedFields === false) {
      dropManagedFields(item);
    }
    const type = typeMeta === "" ? itemKind(head.kind) : undefined;
    return withTypeMeta(item, head.apiVersion, type) as KubeObject;
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
