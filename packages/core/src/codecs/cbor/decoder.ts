import { Buffer } from "node:buffer";
import { tooDeep } from "../../bytes/bytes.js";
import { defaultLimits } from "../../options/limits.js";
import { hasProjectedObject } from "../../projection/project-value.js";
import type { Selection } from "../../projection/selection.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { ItemScanner } from "./item-scanner.js";
import { encodeLater } from "./later-encodings.js";
import { joinPieces } from "./pieces.js";
import { type Role, roleOf, roles } from "./roles.js";
import { makeObject } from "./shapes.js";
import { readSimple } from "./simple-values.js";
import { asKey, assertUtf8, outKeyHash, readKey, readText, viewOf } from "./strings.js";
import { epochTime, normalTime } from "./times.js";
import { addTypeMeta, type TypeMeta, typeMetaHash } from "./type-meta.js";
import {
  breakByte,
  cut,
  infos,
  majorTypes,
  outPosition,
  readArgument,
  readInteger,
  tags,
} from "./wire.js";

const nothing: Buffer = Buffer.alloc(0);
const nothingView: DataView = viewOf(nothing);

// State of the decoding in progress: docs/wire.md, "Second results". Closures per decoder measured half the speed.
let bytes = nothing;
let view = nothingView;
let at = 0;
let end = 0;
let depth = 0;
let maxDepth = defaultLimits.maxDepth;
/** Tag 21, 22 or 23 that applies to byte strings; 0 when they are text. */
let laterEncoding = 0;
/** Kind and apiVersion for a list item that has neither. */
let typeMeta: TypeMeta | undefined;

/** Elements and entries being read, outermost first, up to `top`. Its length only grows, because setting it is slow. */
const scratch: unknown[] = [];
let top = 0;
/** Highest value that `top` reached, for clearing. */
let highest = 0;
/** Entries above which the scratch memory is released. */
const maxScratch = 1 << 16;

const scanner = new ItemScanner();

// A second result: docs/wire.md, "Second results".
/** End position of the item that {@link decodeItem} decoded last. */
export let outItemEnd = 0;

/**
 * Decodes the one data item that begins at `start`.
 *
 * @param role - role of the item: it decides which managedFields are dropped with `managedFields: false`, and whether a
 * projection applies. A body is decoded whole, since it may be anything.
 * @param listed - kind and apiVersion for a list item that has neither.
 * @throws {KubeError} `Decode` for input that Kubernetes' own decoder rejects, and for truncated input; `TooLarge`
 * above `maxDepth`.
 */
export function decodeItem(
  source: Buffer,
  start: number,
  stop: number,
  role: Role,
  options: DecodeOptions,
  listed?: TypeMeta,
): unknown {
  bytes = source;
  view = viewOf(source);
  at = start;
  end = stop;
  depth = 0;
  laterEncoding = 0;
  typeMeta = listed;
  maxDepth = options.limits?.maxDepth ?? defaultLimits.maxDepth;
  try {
    const value = readValue(
      (options.managedFields ?? true) ? roles.value : role,
      selectionOf(role, options),
    );
    outItemEnd = at;
    // Only a whole event shows its type, which may come last.
    return role === roles.event && options.projection !== undefined && !isProjectedEvent(value)
      ? decodeItem(source, start, stop, role, { ...options, projection: undefined }, listed)
      : value;
  } catch (error) {
    // The call stack overflowed. Only a maxDepth above about two thousand allows values that deep.
    throw error instanceof RangeError
      ? decodeError(
          `CBOR values nest deeper than the call stack allows: limits.maxDepth (${maxDepth}) is too high`,
          error,
        )
      : error;
  } finally {
    forgetScratch();
    bytes = nothing;
    view = nothingView;
  }
}

function isProjectedEvent(event: unknown): boolean {
  return hasProjectedObject((event as { readonly type?: unknown } | null)?.type);
}

/** Returns what is kept of an item; `undefined` for all of it. */
function selectionOf(role: Role, { projection }: DecodeOptions): Selection | undefined {
  if (role === roles.event) {
    return projection?.event;
  }
  return role === roles.object ? projection?.root : undefined;
}

/** Clears the scratch, so that it keeps no object alive. */
function forgetScratch(): void {
  const used = Math.max(top, highest);
  scratch.fill(undefined, 0, used);
  if (used > maxScratch) {
    scratch.length = 0;
  }
  top = 0;
  highest = 0;
}

function readValue(role: Role, kept: Selection | undefined): unknown {
  if (at >= end) {
    throw cut();
  }
  const head = bytes[at++] as number;
  const info = head & 0x1f;
  switch (head >> 5) {
    case majorTypes.unsigned:
      return info < infos.oneByte ? info : behind(readInteger(bytes, at, end, info, false));
    case majorTypes.negative:
      return behind(readInteger(bytes, at, end, info, true));
    case majorTypes.bytes:
      return laterEncoding === 0 ? readString(majorTypes.bytes, info) : readLaterText(info);
    case majorTypes.text:
      return readString(majorTypes.text, info);
    case majorTypes.array:
      return readArray(readCount(info), role, kept);
    case majorTypes.map:
      return readMap(readCount(info), role, kept);
    case majorTypes.tag:
      return readTagged(behind(readArgument(bytes, at, end, info)), role, kept);
    default:
      return behind(readSimple(bytes, at, end, info));
  }
}

/** Moves `at` to the end of the last read and returns the value. */
function behind<T>(value: T): T {
  at = outPosition;
  return value;
}

/** Returns how many elements or entries follow; -1 when a break ends them. */
function readCount(info: number): number {
  return info === infos.indefinite ? -1 : behind(readArgument(bytes, at, end, info));
}

function readString(type: number, info: number): string {
  if (info === infos.indefinite) {
    const whole = behind(joinPieces(bytes, at, end, type));
    const joined = readText(whole, viewOf(whole), 0, whole.length);
    if (type === majorTypes.text) {
      assertUtf8(whole, 0, whole.length, joined);
    }
    return joined;
  }
  const stop = definiteEnd(info);
  const text = readText(bytes, view, at, stop);
  if (type === majorTypes.text) {
    assertUtf8(bytes, at, stop, text);
  }
  at = stop;
  return text;
}

/** Reads a string's length. Leaves `at` at the first byte and returns the end of the last one. */
function definiteEnd(info: number): number {
  const length = behind(readArgument(bytes, at, end, info));
  if (length > end - at) {
    throw cut();
  }
  return at + length;
}

/** Reads a break, if one comes next. Returns whether it did. */
function readBreak(): boolean {
  if (at >= end) {
    throw cut();
  }
  if (bytes[at] !== breakByte) {
    return false;
  }
  at++;
  return true;
}

/** Reads bytes that JSON shows encoded: `[]byte` in Go. */
function readLaterText(info: number): string {
  if (info === infos.indefinite) {
    const whole = behind(joinPieces(bytes, at, end, majorTypes.bytes));
    return encodeLater(laterEncoding, whole, 0, whole.length);
  }
  const stop = definiteEnd(info);
  const text = encodeLater(laterEncoding, bytes, at, stop);
  at = stop;
  return text;
}

function enter(): void {
  if (++depth > maxDepth) {
    throw tooDeep("a CBOR value", maxDepth);
  }
}

function readArray(count: number, role: Role, kept: Selection | undefined): unknown[] {
  if (count === 0) {
    return [];
  }
  enter();
  const elementRole = role === roles.items ? roles.object : roles.value;
  const bottom = top;
  // No memory is allocated for the claimed count: the elements must be there.
  for (let left = count; count < 0 ? !readBreak() : left > 0; left--) {
    const element = readValue(elementRole, kept);
    scratch[top++] = element;
  }
  const elements = scratch.slice(bottom, top);
  leave(bottom);
  return elements;
}

function leave(bottom: number): void {
  highest = Math.max(highest, top);
  top = bottom;
  depth--;
}

function readMap(count: number, role: Role, kept: Selection | undefined): Record<string, unknown> {
  enter();
  const bottom = top;
  let hash = 0;
  let shapeable = true;
  let skipped = false;
  for (let left = count; count < 0 ? !readBreak() : left > 0; left--) {
    const key = readMapKey();
    if (role === roles.metadata && key === "managedFields") {
      if (skipped) {
        throw decodeError("a map has a duplicate key");
      }
      skipItem();
      skipped = true;
      continue;
    }
    const keptValue = kept?.fields.get(key);
    if (kept !== undefined && !kept.whole && keptValue === undefined) {
      skipItem();
      continue;
    }
    hash = (hash + outKeyHash) | 0;
    shapeable &&= outKeyHash !== 0;
    const value = readValue(role === roles.value ? roles.value : roleOf(key, role), keptValue);
    scratch[top++] = key;
    scratch[top++] = value;
  }
  if (depth === 1 && typeMeta !== undefined && addTypeMeta(scratch, bottom, top, typeMeta)) {
    top += 4;
    hash = (hash + typeMetaHash) | 0;
  }
  const object = makeObject(scratch, bottom, top, shapeable ? hash : 0, kept?.isMarked === true);
  leave(bottom);
  return object;
}

/** Moves past an item without building it, or checking more than its length. */
function skipItem(): void {
  scanner.reset();
  if (!scanner.scan(bytes, at, end)) {
    throw cut();
  }
  at = scanner.position;
}

function readMapKey(): string {
  if (at >= end) {
    throw cut();
  }
  const head = bytes[at] as number;
  const type = head >> 5;
  const info = head & 0x1f;
  if (
    (type === majorTypes.bytes || type === majorTypes.text) &&
    info !== infos.indefinite &&
    laterEncoding === 0
  ) {
    at++;
    const stop = definiteEnd(info);
    const key = readKey(bytes, view, at, stop);
    if (type === majorTypes.text) {
      assertUtf8(bytes, at, stop, key);
    }
    at = stop;
    return key;
  }
  return asKey(readValue(roles.value, undefined));
}

/** Reads a tagged item as Kubernetes does: times become text, bytes get their text form of JSON, other tags are ignored. */
function readTagged(tag: number, role: Role, kept: Selection | undefined): unknown {
  enter();
  let value: unknown;
  switch (tag) {
    case tags.unsignedBignum:
    case tags.negativeBignum:
      throw decodeError("an integer does not fit into 64 bits");
    case tags.timeText:
      if ((bytes[at] as number) >> 5 !== majorTypes.text) {
        throw decodeError("a time is not a string");
      }
      value = normalTime(readValue(roles.value, undefined));
      break;
    case tags.epochTime:
      value = epochTime(readValue(roles.value, undefined));
      break;
    case tags.laterBase64Url:
    case tags.laterBase64:
    case tags.laterBase16: {
      const before = laterEncoding;
      laterEncoding = tag;
      value = readValue(role, kept);
      laterEncoding = before;
      break;
    }
    default:
      value = readValue(role, kept);
  }
  depth--;
  return value;
}
