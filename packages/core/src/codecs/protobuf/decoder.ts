import type { Buffer } from "node:buffer";
import { tooDeep } from "../../bytes.js";
import { defaultLimits, type Limits } from "../../limits.js";
import type { DecodeOptions } from "../codec.js";
import { entryOfString, readString } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { elementsWaiting, forgetElements, putElement, takeElements } from "../element-stack.js";
import { setOwn } from "../own-property.js";
import { findShared, hashLookedFor, isShareable, offerShared } from "../shared-objects.js";
import { readForm } from "./forms.js";
import {
  containers,
  type FieldType,
  type MessageType,
  messageForms,
  valueKinds,
} from "./message-type.js";
import { readScalar, scalarEnd } from "./scalars.js";
import { unionValue } from "./unions.js";
import {
  tellOfAnother,
  tellUnknownField,
  tellUnknownFieldsTo,
  unknownFieldsReported,
} from "./unknown-fields.js";
import { lengthDelimitedEnd, position, readVarint, skipField } from "./wire.js";
import { isEmpty, zeroOfScalar } from "./zero-values.js";

// The state of the decoding in progress. Decoding one object never waits for anything, so one set of
// variables for the module is enough; several closures of one decoder were measured at half the speed.
let depth = 0;
let limits: Partial<Limits> = {};
let maxDepth = defaultLimits.maxDepth;
/** At which depth stands the metadata whose managedFields are dropped; -1: they are kept. */
let managedFieldsDepth = -1;
let shareEqual = false;

/**
 * Decodes one message into an object of the shape that the API server's JSON has, by the message's table.
 *
 * @param object - filled, where the caller has set kind and apiVersion first.
 */
export function decodeMessage(
  type: MessageType,
  bytes: Buffer,
  start: number,
  end: number,
  options: DecodeOptions,
  object: Record<string, unknown> = new type.Plain(),
): Record<string, unknown> {
  depth = 0;
  forgetElements();
  limits = options.limits ?? {};
  maxDepth = limits.maxDepth ?? defaultLimits.maxDepth;
  managedFieldsDepth = (options.managedFields ?? true) ? -1 : type.isList ? 2 : 1;
  tellUnknownFieldsTo(options.onUnknownField);
  shareEqual = options.shareEqual ?? false;
  readFields(type, bytes, start, end, object);
  return object;
}

function readFields(
  type: MessageType,
  bytes: Buffer,
  start: number,
  end: number,
  object: Record<string, unknown>,
  isRepeated = false,
): void {
  const { byNumber } = type;
  let seen = 0;
  // Fields come in the order of their numbers, as a rule: what is higher was not there before.
  let highest = isRepeated ? 0x7fff_ffff : 0;
  let at = start;
  while (at < end) {
    let tag = bytes[at] as number;
    if (tag < 0x80) {
      at++;
    } else {
      tag = readVarint(bytes, at);
      at = position;
    }
    const field = byNumber[tag >>> 3];
    // A number that is known is not, with another wire type.
    if (field === undefined || field.tag !== tag) {
      at = skipField(bytes, tag, at, end);
      tellUnknownField(type, tag);
      continue;
    }
    seen |= field.bit;
    switch (field.container) {
      case containers.text:
        at = lengthDelimitedEnd(bytes, at, end);
        if (at > position) {
          object[field.jsonName] = readString(bytes, position, at, field.lastEntry);
          field.lastEntry = entryOfString;
        } else if (tag <= highest) {
          delete object[field.jsonName];
        }
        break;
      case containers.kept:
      case containers.one: {
        const value = readValue(field, bytes, at, end);
        at = valueEnd;
        if (tag <= highest) {
          tellOfAnother(type, field, object);
        }
        if (field.container === containers.kept || !isEmpty(field, value)) {
          object[field.jsonName] = value;
        } else if (tag <= highest && field.kind !== valueKinds.message) {
          // Of a scalar that occurs twice the last one counts, and JSON leaves an empty one out.
          delete object[field.jsonName];
        }
        break;
      }
      case containers.list:
        if (field.isManagedFields && depth === managedFieldsDepth) {
          at = skipField(bytes, tag, at, end);
        } else {
          at = readList(field, tag, bytes, at, end, object, tag > highest);
        }
        break;
      case containers.map:
        at = readMapEntry(field, bytes, at, end, object);
        break;
      default:
        at = readInline(field, bytes, at, end, object, tag <= highest);
    }
    if (tag > highest) {
      highest = tag;
    }
  }
  if (at !== end) {
    throw decodeError(`${type.name} is cut`);
  }
  if (seen !== type.alwaysMask) {
    fillAlways(type, seen, bytes, object);
  }
}

/**
 * A message whose fields stand in the object that holds it.
 *
 * @param isRepeated - it was there before: its fields may be set already.
 */
function readInline(
  field: FieldType,
  bytes: Buffer,
  at: number,
  end: number,
  object: Record<string, unknown>,
  isRepeated: boolean,
): number {
  const stop = lengthDelimitedEnd(bytes, at, end);
  enter();
  readFields(field.message, bytes, position, stop, object, isRepeated);
  depth--;
  return stop;
}

/**
 * A run of one repeated field is read in one go and copied to an array of its exact size.
 *
 * @param isFirst - nothing of the field was read before.
 */
function readList(
  field: FieldType,
  tag: number,
  bytes: Buffer,
  start: number,
  end: number,
  object: Record<string, unknown>,
  isFirst: boolean,
): number {
  const before = elementsWaiting;
  let at = start;
  for (;;) {
    putElement(readValue(field, bytes, at, end));
    at = valueEnd;
    if (at >= end) {
      break;
    }
    const first = bytes[at] as number;
    const next = first < 0x80 ? first : readVarint(bytes, at);
    if (next !== tag) {
      break;
    }
    at = first < 0x80 ? at + 1 : position;
  }
  const items = takeElements(before);
  const already = isFirst ? undefined : object[field.jsonName];
  if (Array.isArray(already)) {
    // Not copied: fields that take turns would copy all that came before each time.
    for (const item of items) {
      already.push(item);
    }
  } else {
    object[field.jsonName] = items;
  }
  return at;
}

function readMapEntry(
  field: FieldType,
  bytes: Buffer,
  start: number,
  end: number,
  object: Record<string, unknown>,
): number {
  const stop = lengthDelimitedEnd(bytes, start, end);
  let map = object[field.jsonName] as Record<string, unknown> | undefined;
  if (map === undefined) {
    map = new field.Plain();
    object[field.jsonName] = map;
  }
  let key = "";
  let value: unknown;
  let hasValue = false;
  let at = position;
  while (at < stop) {
    const tag = readVarint(bytes, at);
    at = position;
    if (tag === 10) {
      const keyEnd = lengthDelimitedEnd(bytes, at, stop);
      key = readString(bytes, position, keyEnd);
      at = keyEnd;
    } else if (tag === field.valueTag) {
      value = readValue(field, bytes, at, stop);
      at = valueEnd;
      hasValue = true;
    } else {
      at = skipField(bytes, tag, at, stop);
    }
  }
  setOwn(map, key, hasValue ? value : zeroOfEntry(field, bytes));
  return stop;
}

/** Where the value ended that {@link readValue} read last. */
let valueEnd = 0;

function readValue(field: FieldType, bytes: Buffer, at: number, end: number): unknown {
  switch (field.kind) {
    case valueKinds.string: {
      const stop = lengthDelimitedEnd(bytes, at, end);
      valueEnd = stop;
      const text = readString(bytes, position, stop, field.lastEntry);
      field.lastEntry = entryOfString;
      return text;
    }
    case valueKinds.message: {
      const stop = lengthDelimitedEnd(bytes, at, end);
      const value = readMessage(field.message, bytes, position, stop);
      valueEnd = stop;
      return value;
    }
    default: {
      const value = readScalar(field.kind, bytes, at, end);
      valueEnd = scalarEnd;
      return value;
    }
  }
}

function enter(): void {
  if (++depth > maxDepth) {
    throw tooDeep("a protobuf message", maxDepth);
  }
}

function readMessage(type: MessageType, bytes: Buffer, start: number, end: number): unknown {
  switch (type.jsonForm) {
    case messageForms.plain:
      return shareEqual && isShareable(start, end) && !mayLackManagedFields(type)
        ? readShared(type, bytes, start, end)
        : readPlain(type, bytes, start, end);
    case messageForms.union:
      return readUnion(type, bytes, start, end);
    default:
      return readForm(type.jsonForm, bytes, start, end, limits);
  }
}

function readPlain(type: MessageType, bytes: Buffer, start: number, end: number): object {
  enter();
  const object = new type.Plain();
  readFields(type, bytes, start, end, object);
  depth--;
  return object;
}

/** What is read without managedFields is not what the same bytes are to a reader who wants them. */
function mayLackManagedFields(type: MessageType): boolean {
  return type.holdsManagedFields && depth < managedFieldsDepth;
}

/** A message that another object may hold as well. One with a field that the tables lack is told each time. */
function readShared(type: MessageType, bytes: Buffer, start: number, end: number): object {
  const known = findShared(type, bytes, start, end);
  if (known !== undefined) {
    return known;
  }
  const hash = hashLookedFor;
  const unknownBefore = unknownFieldsReported();
  const object = readPlain(type, bytes, start, end);
  if (unknownFieldsReported() === unknownBefore) {
    offerShared(type, bytes, start, end, object, hash);
  }
  return object;
}

/** Wrapper messages: a list in a message, and the three unions of a JSON schema. */
function readUnion(type: MessageType, bytes: Buffer, start: number, end: number): unknown {
  enter();
  const parts: Record<string, unknown> = {};
  readFields(type, bytes, start, end, parts);
  depth--;
  return unionValue(type, parts);
}

/** What Go shows for fields that it always writes to JSON and the wire did not have. */
function fillAlways(
  type: MessageType,
  seen: number,
  bytes: Buffer,
  object: Record<string, unknown>,
): void {
  for (const field of type.fields) {
    if (field.bit !== 0 && (seen & field.bit) === 0) {
      if (field.container === containers.inline) {
        readFields(field.message, bytes, 0, 0, object);
      } else if (
        mayBeUnwritten(field) &&
        !(field.isManagedFields && depth === managedFieldsDepth)
      ) {
        // The server's own lists are never without items, only empty.
        const isItems =
          depth === 0 && field.jsonName === "items" && field.container === containers.list;
        object[field.jsonName] = isItems ? [] : zeroValue(field, bytes);
      }
    }
  }
}

/**
 * Whether a server that knows a field may write nothing of it: an empty list or map, a pointer without a value. Go writes every
 * other field, whatever it holds; where one is missing the server is older than the field, and its JSON lacks it as well.
 */
function mayBeUnwritten(field: FieldType): boolean {
  const { container, pointer, kind } = field;
  const isPlural = container === containers.list || container === containers.map;
  const isSlice =
    kind === valueKinds.bytes || (kind === valueKinds.message && field.message.form === "items");
  return isPlural || isSlice || pointer;
}

function zeroValue(field: FieldType, bytes: Buffer): unknown {
  const isNil =
    field.pointer || field.container === containers.list || field.container === containers.map;
  if (isNil || (field.kind === valueKinds.message && field.message.form === "items")) {
    return null;
  }
  return zeroOfEntry(field, bytes);
}

/** The value of a map entry that has none: what an empty message is, or an empty scalar. */
function zeroOfEntry(field: FieldType, bytes: Buffer): unknown {
  return field.kind === valueKinds.message
    ? readMessage(field.message, bytes, 0, 0)
    : zeroOfScalar(field);
}
