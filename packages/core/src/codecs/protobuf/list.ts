import { concatBytes, tooLarge } from "../../bytes/bytes.js";
import { reclaimChunks, takeArrived } from "../../bytes/reclaimed-bytes.js";
import type { KubeObject, ListMeta } from "../../objects/api-types.js";
import { defaultLimits } from "../../options/limits.js";
import { projectValue } from "../../projection/project-value.js";
import type { DecodeOptions, ListPart } from "../codec.js";
import { releaseStrings } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { dropManagedFields } from "../json/managed-fields.js";
import { itemKind, notAList } from "../list-metadata.js";
import { mediaTypes } from "../media-type.js";
import { WaitingBytes } from "../waiting-bytes.js";
import { decodeObject, decodeProtobuf, unknownKind } from "./decode.js";
import { decodeMessage } from "./decoder.js";
import { type Envelope, hasMagic, magic, readEnvelope } from "./envelope.js";
import { readRaw } from "./forms.js";
import {
  containers,
  type FieldType,
  loadMessageType,
  type MessageType,
  messageForms,
  valueKinds,
} from "./message-type.js";
import { assertFieldNumber, outPosition, skipField, tryReadVarint, wireTypes } from "./wire.js";

const noBytes = new Uint8Array(0);
const rawTag = 18;

/**
 * Decodes a list while it arrives. The head of the envelope tells its kind and length; then each item is decoded once
 * its bytes have arrived.
 */
export async function* decodeProtobufList(
  source: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncIterable<ListPart> {
  const maxBytes = options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
  const waiting = new WaitingBytes();
  reclaimChunks(source);
  let list: ListReader | undefined;
  // Position up to which an incomplete head was read.
  let headEnd = 0;
  // Number of bytes that must arrive before reading continues; 0 while it is not known.
  let wanted = 0;
  try {
    for await (const first of source) {
      const items: KubeObject[] = [];
      try {
        let left: Uint8Array | undefined = first;
        for (; left !== undefined; left = left.byteLength > 0 ? left : takeArrived(source)) {
          const { bytes, rest } = waiting.appendUpTo(wanted || Number.POSITIVE_INFINITY, left);
          left = rest;
          if (bytes.length < wanted) {
            waiting.keepFrom(0);
            continue;
          }
          let at = 0;
          if (list === undefined) {
            const head = readHead(bytes, headEnd);
            if (typeof head === "number") {
              headEnd = head;
            } else {
              list = await openList(head, options);
              at = head.rawStart;
            }
          }
          if (list !== undefined) {
            list.read(bytes, at, items);
            at = list.consumed;
          }
          waiting.keepFrom(at);
          wanted = list === undefined ? 0 : list.wanted;
          if (Math.max(wanted, waiting.length) > maxBytes) {
            throw tooLarge(
              list?.complete ? "the data after a list" : "a list item",
              maxBytes,
              "maxObjectBytes",
            );
          }
        }
      } catch (error) {
        if (list !== undefined && items.length > 0) {
          yield { ...list.head, items };
        }
        throw error;
      }
      if (list !== undefined && items.length > 0) {
        yield { ...list.head, items };
      }
    }
  } finally {
    releaseStrings();
  }
  if (list === undefined) {
    throw decodeError("the list ends before its first item");
  }
  if (list.isStatus) {
    throw notAList(await decodeProtobuf(waiting.append(noBytes), options));
  }
  if (!list.complete) {
    throw decodeError("the list ends in the middle");
  }
  assertPlain(list.head.kind, readTail(waiting.append(noBytes)));
  yield { ...list.head, items: [] };
}

interface ListHead {
  readonly apiVersion: string;
  readonly kind: string;
  /** Start and number of the list's own bytes. */
  readonly rawStart: number;
  readonly rawBytes: number;
}

/**
 * Reads the envelope up to the list's first byte.
 *
 * @param from - result of the last call, up to which the envelope is already read; 0 for the first call.
 * @returns the position reached while the head is incomplete.
 */
function readHead(bytes: Buffer, from: number): ListHead | number {
  if (!hasMagic(bytes)) {
    if (bytes.length < magic.length) {
      return 0;
    }
    throw decodeError("the body does not begin with k8s\\0 as a protobuf object must");
  }
  let at = Math.max(from, magic.length);
  while (at < bytes.length) {
    const tag = tryReadVarint(bytes, at, bytes.length);
    const length = tag < 0 ? -1 : tryReadVarint(bytes, outPosition, bytes.length);
    if (length < 0) {
      return at;
    }
    const start = outPosition;
    if (tag === rawTag) {
      const before = readEnvelope(bytes, 0, at);
      assertPlain(before.kind, before);
      return { ...before, rawStart: start, rawBytes: length };
    }
    if ((tag & 7) !== wireTypes.bytes) {
      throw decodeError("the envelope of a list has an unknown field");
    }
    if (start + length > bytes.length) {
      return at;
    }
    at = start + length;
  }
  return at;
}

/** Reads the part of the envelope that follows the list: its content encoding and type. */
function readTail(bytes: Buffer): Envelope {
  const tail = readEnvelope(concatBytes([magic, bytes]), 0, magic.length + bytes.length);
  if (tail.hasRaw || tail.kind !== "" || tail.apiVersion !== "") {
    throw decodeError("the list is followed by something else in its envelope");
  }
  return tail;
}

/**
 * Rejects a list with a special content encoding or type. The list is read before the tail of its envelope, so only the
 * plain form can be streamed.
 */
function assertPlain(kind: string | undefined, { contentEncoding, contentType }: Envelope): void {
  if (contentEncoding !== "" || (contentType !== "" && contentType !== mediaTypes.protobuf)) {
    const what =
      contentEncoding === "" ? `content type "${contentType}"` : `encoding "${contentEncoding}"`;
    throw decodeError(
      `the envelope of a ${kind} has the ${what}, which is not supported for lists`,
    );
  }
}

async function openList(head: ListHead, options: DecodeOptions): Promise<ListReader> {
  const { apiVersion, kind } = head;
  const type = await loadMessageType(apiVersion, kind);
  if (type === undefined) {
    throw unknownKind(apiVersion, kind);
  }
  const items = type.fields.find((field) => field.jsonName === "items");
  const metadata = type.fields.find((field) => field.jsonName === "metadata");
  if (
    items?.kind !== valueKinds.message ||
    items.container !== containers.list ||
    metadata?.kind !== valueKinds.message
  ) {
    if (kind !== "Status") {
      throw notAList({ apiVersion, kind });
    }
    return new ListReader(head, undefined, undefined, options);
  }
  return new ListReader(head, items, metadata, options);
}

/** Reads the fields of a list message that arrives in chunks of any size. */
class ListReader {
  /** Position up to which the last chunk was read. */
  consumed = 0;
  /** Number of bytes that the next field needs. */
  wanted = 0;
  #left: number;
  #metadata: ListMeta | undefined;
  readonly #itemKind: string | undefined;
  readonly #head: ListHead;
  readonly #items: FieldType | undefined;
  readonly #itemType: MessageType | undefined;
  readonly #meta: FieldType | undefined;
  readonly #options: DecodeOptions;

  constructor(
    head: ListHead,
    items: FieldType | undefined,
    meta: FieldType | undefined,
    options: DecodeOptions,
  ) {
    this.#head = head;
    this.#left = head.rawBytes;
    this.#itemKind = itemKind(head.kind);
    this.#items = items;
    this.#itemType =
      options.projection === undefined
        ? items?.message
        : items?.message.keeping(options.projection.root);
    this.#meta = meta;
    this.#options = options;
  }

  /** `true` for a Status in place of a list. The reader reads nothing of it. */
  get isStatus(): boolean {
    return this.#items === undefined;
  }

  get complete(): boolean {
    return this.#left === 0;
  }

  get head(): Omit<ListPart, "items"> {
    const { apiVersion, kind } = this.#head;
    return { apiVersion, kind, metadata: this.#metadata };
  }

  /** Reads from `start` on, and adds the items to `decoded`. */
  read(bytes: Buffer, start: number, decoded: KubeObject[]): void {
    this.wanted = 0;
    this.consumed = this.isStatus ? 0 : start;
    if (this.#items === undefined || this.#meta === undefined) {
      return;
    }
    while (this.#left > 0) {
      const at = this.consumed;
      const tag = tryReadVarint(bytes, at, bytes.length);
      const length =
        tag < 0 || (tag & 7) !== wireTypes.bytes
          ? tag
          : tryReadVarint(bytes, outPosition, bytes.length);
      if (length < 0) {
        return;
      }
      const valueStart = outPosition;
      assertFieldNumber(tag);
      const end =
        (tag & 7) === wireTypes.bytes
          ? valueStart + length
          : skipField(bytes, tag, valueStart, at + this.#left);
      if (end - at > this.#left) {
        throw decodeError("a list item is longer than its list");
      }
      if (end > bytes.length) {
        this.wanted = end - at;
        return;
      }
      if (tag === this.#items.tag) {
        this.#assertSize(end - at);
        decoded.push(this.#decodeItem(bytes, valueStart, end));
      } else if (tag === this.#meta.tag) {
        this.#metadata = decodeMessage(this.#meta.message, bytes, valueStart, end, this.#options);
      } else {
        this.#options.onUnknownField?.(this.#head.kind, tag >>> 3);
      }
      this.#left -= end - at;
      this.consumed = end;
    }
  }

  /** Checks the size of an item, regardless of how many bytes arrived at once. */
  #assertSize(bytes: number): void {
    const maxBytes = this.#options.limits?.maxObjectBytes ?? defaultLimits.maxObjectBytes;
    if (bytes > maxBytes) {
      throw tooLarge("a list item", maxBytes, "maxObjectBytes");
    }
  }

  #decodeItem(bytes: Buffer, start: number, end: number): KubeObject {
    const type = this.#itemType;
    if (type === undefined) {
      throw notAList(undefined);
    }
    if (type.jsonForm === messageForms.raw) {
      // A `List` holds objects of any kind, each as JSON.
      const item = readRaw(bytes, start, end, this.#options.limits);
      if (this.#options.managedFields === false) {
        dropManagedFields(item);
      }
      const { projection } = this.#options;
      return (projection === undefined ? item : projectValue(item, projection.root)) as KubeObject;
    }
    return this.#itemKind === undefined
      ? decodeMessage(type, bytes, start, end, this.#options)
      : decodeObject(type, this.#head.apiVersion, this.#itemKind, bytes, start, end, this.#options);
  }
}
