import type { Buffer } from "node:buffer";
import { textBetween } from "../../bytes/bytes.js";
import { setOwn } from "../../objects/own-property.js";
import { projectValue } from "../../projection/project-value.js";
import { mark } from "../../projection/projected-objects.js";
import type { DecodeOptions } from "../codec.js";
import { outEntry, readString } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { elementsWaiting, forgetElements, putElement, takeElements } from "../element-stack.js";
import { findShared, isShareable, offerShared, outHash } from "../shared-objects.js";
import type { SharedTexts } from "../shared-texts.js";
import {
  beginDecoding,
  depth,
  enter,
  isDropped,
  leave,
  limits,
  mayLackManagedFields,
  shareEqual,
} from "./decoding-state.js";
import { readForm } from "./forms.js";
import {
  containers,
  type FieldType,
  type MessageType,
  messageForms,
  valueKinds,
} from "./message-type.js";
import { outScalarEnd, readScalar } from "./scalars.js";
import { readShared } from "./shared-messages.js";
import { unionValue } from "./unions.js";
import {
  reportRepeatedMessage,
  reportUnknownField,
  setUnknownFieldListener,
  unknownFieldsReported,
  withoutReports,
} from "./unknown-fields.js";
import { endOfElements, lengthDelimitedEnd, outPosition, readVarint, skipField } from "./wire.js";
import { isEmpty, isNullWhenUnset, mayBeUnwritten, zeroOfScalar } from "./zero-values.js";

/**
 * Decodes one message by its table, into an object of the same shape as the API server's JSON.
 *
 * @param object - object to fill, in which the caller has already set kind and apiVersion.
 */
export function decodeMessage(
  type: MessageType,
  bytes: Buffer,
  start: number,
  end: number,
  options: DecodeOptions,
  object: Record<string, unknown> = new type.Plain(),
): Record<string, unknown> {
  beginDecoding(type, options);
  forgetElements();
  setUnknownFieldListener(options.onUnknownField);
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
  // Fields usually come in the order of their numbers: one above the highest so far is new.
  let highest = isRepeated ? 0x7fff_ffff : 0;
  let at = start;
  while (at < end) {
    let tag = bytes[at] as number;
    if (tag < 0x80) {
      at++;
    } else {
      tag = readVarint(bytes, at);
      at = outPosition;
    }
    const field = byNumber[tag >>> 3];
    // A known field number with another wire type is unknown.
    if (field === undefined || field.tag !== tag) {
      at = skipField(bytes, tag, at, end);
      if (!type.isPartial) {
        reportUnknownField(type, tag);
      }
      continue;
    }
    seen |= field.bit;
    switch (field.container) {
      case containers.text:
        at = lengthDelimitedEnd(bytes, at, end);
        if (at > outPosition) {
          if (field.isUnique) {
            object[field.jsonName] = textBetween(bytes, outPosition, at);
          } else {
            object[field.jsonName] = readString(bytes, outPosition, at, field.lastEntry);
            field.lastEntry = outEntry;
          }
        } else if (tag <= highest) {
          delete object[field.jsonName];
        }
        break;
      case containers.kept:
      case containers.one: {
        const value = readValue(field, bytes, at, end);
        const valueStart = at;
        at = outValueEnd;
        if (tag <= highest) {
          reportRepeatedMessage(type, field, object);
        }
        if (
          field.container === containers.kept ||
          !isEmpty(field, value) ||
          (field.kept !== undefined && !isEmptyAsWhole(field.whole, bytes, valueStart, end))
        ) {
          object[field.jsonName] = value;
        } else if (tag <= highest && field.kind !== valueKinds.message) {
          // The last occurrence of a scalar counts, and JSON omits an empty one.
          delete object[field.jsonName];
        }
        break;
      }
      case containers.list:
        if (isDropped(field)) {
          at = skipField(bytes, tag, at, end);
        } else {
          at =
            shareEqual && field.kind === valueKinds.message && tag > highest
              ? readSharedList(field, tag, bytes, at, end, object)
              : readList(field, tag, bytes, at, end, object, tag > highest);
        }
        break;
      case containers.map:
        at =
          shareEqual && field.kind === valueKinds.string
            ? readSharedMap(field, tag, bytes, at, end, object, tag > highest)
            : readMapEntry(field, bytes, at, end, object);
        break;
      default:
        at = readInline(field, bytes, at, end, object, tag <= highest);
    }
    if (tag > highest) {
      highest = tag;
    }
  }
  if (at !== end) {
    throw decodeError(`${type.name} is truncated`);
  }
  if (seen !== type.alwaysMask) {
    fillAlways(type, seen, bytes, object);
  }
}

/**
 * Reads a message whose fields are inlined into the object that holds it.
 *
 * @param isRepeated - `true` when the message occurred before, so that its fields may be set already.
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
  readFields(field.message, bytes, outPosition, stop, object, isRepeated);
  leave();
  return stop;
}

/**
 * Reads consecutive elements of a repeated field in one go, and copies them to an array of their exact size.
 *
 * @param isFirst - `true` when no element of the field was read before.
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
    at = outValueEnd;
    if (at >= end) {
      break;
    }
    const first = bytes[at] as number;
    const next = first < 0x80 ? first : readVarint(bytes, at);
    if (next !== tag) {
      break;
    }
    at = first < 0x80 ? at + 1 : outPosition;
  }
  const items = takeElements(before);
  const already = isFirst ? undefined : object[field.jsonName];
  if (Array.isArray(already) && Object.isFrozen(already)) {
    // The elements before another field are shared with other objects.
    object[field.jsonName] = [...already, ...items];
  } else if (Array.isArray(already)) {
    // Appended in place: with alternating fields, a copy would repeat all earlier elements each time.
    for (const item of items) {
      already.push(item);
    }
  } else {
    object[field.jsonName] = items;
  }
  return at;
}

/** Reads the first elements of a list of messages. Other objects may share a list of the same bytes. */
function readSharedList(
  field: FieldType,
  tag: number,
  bytes: Buffer,
  start: number,
  end: number,
  object: Record<string, unknown>,
): number {
  const stop = endOfElements(tag, bytes, start, end);
  if (!isShareable(start, stop) || mayLackManagedFields(field.message)) {
    return readList(field, tag, bytes, start, end, object, true);
  }
  const known = findShared(field, bytes, start, stop);
  if (known !== undefined) {
    object[field.jsonName] = known;
    return stop;
  }
  const hash = outHash;
  const unknownBefore = unknownFieldsReported();
  readList(field, tag, bytes, start, end, object, true);
  if (unknownFieldsReported() === unknownBefore) {
    offerShared(field, bytes, start, stop, object[field.jsonName] as object, hash);
  }
  return stop;
}

/**
 * Reads consecutive entries of a map in one go, since other objects may share it: the labels of a deployment's pods are
 * equal.
 *
 * @param isFirst - `true` when no entry of the map was read before.
 */
function readSharedMap(
  field: FieldType,
  tag: number,
  bytes: Buffer,
  start: number,
  end: number,
  object: Record<string, unknown>,
  isFirst: boolean,
): number {
  const stop = endOfElements(tag, bytes, start, end);
  const isSharing = isFirst && isShareable(start, stop);
  const known = isSharing ? findShared(field, bytes, start, stop) : undefined;
  if (known !== undefined) {
    object[field.jsonName] = known;
    return stop;
  }
  const hash = outHash;
  const already = object[field.jsonName];
  if (!isFirst && Object.isFrozen(already)) {
    // The entries before another field are shared with other objects. Others grow in place: copies of them would take
    // quadratic time.
    object[field.jsonName] = { ...(already as object | undefined) };
  }
  let at = readMapEntry(field, bytes, start, end, object);
  while (at < stop) {
    readVarint(bytes, at);
    at = readMapEntry(field, bytes, outPosition, end, object);
  }
  if (isSharing) {
    offerShared(field, bytes, start, stop, object[field.jsonName] as object, hash);
  }
  return stop;
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
  let key: string | undefined;
  let value: unknown;
  let hasValue = false;
  let at = outPosition;
  while (at < stop) {
    const tag = readVarint(bytes, at);
    at = outPosition;
    if (tag === 10) {
      const keyEnd = lengthDelimitedEnd(bytes, at, stop);
      key = readString(bytes, outPosition, keyEnd);
      at = keyEnd;
    } else if (tag === field.valueTag && (key === undefined || keepsKey(field, key))) {
      value = readValue(field, bytes, at, stop);
      at = outValueEnd;
      hasValue = true;
    } else {
      at = skipField(bytes, tag, at, stop);
    }
  }
  key ??= "";
  if (keepsKey(field, key)) {
    const whole = hasValue ? value : zeroOfEntry(field, bytes);
    const kept = field.kept?.fields.get(key);
    setOwn(map, key, kept === undefined ? whole : projectValue(whole, kept));
  }
  return stop;
}

/** Returns whether the entry of a map with this key is read. */
function keepsKey({ kept }: FieldType, key: string): boolean {
  return kept === undefined || kept.fields.has(key);
}

// A second result: docs/wire.md, "Second results".
/** End of the value that {@link readValue} read last. */
let outValueEnd = 0;

function readValue(field: FieldType, bytes: Buffer, at: number, end: number): unknown {
  switch (field.kind) {
    case valueKinds.string: {
      const stop = lengthDelimitedEnd(bytes, at, end);
      outValueEnd = stop;
      const text = readString(bytes, outPosition, stop, field.lastEntry);
      field.lastEntry = outEntry;
      return text;
    }
    case valueKinds.message: {
      const stop = lengthDelimitedEnd(bytes, at, end);
      const { message } = field;
      const value = readMessage(message, bytes, outPosition, stop, field.jsonName);
      outValueEnd = stop;
      return field.kept === undefined || message.isPartial || field.container === containers.map
        ? value
        : projectValue(value, field.kept);
    }
    default: {
      const value = readScalar(field.kind, bytes, at, end, field.jsonName);
      outValueEnd = outScalarEnd;
      return value;
    }
  }
}

/** @param field - name of the field that holds the message, for errors. */
function readMessage(
  type: MessageType,
  bytes: Buffer,
  start: number,
  end: number,
  field: string,
): unknown {
  switch (type.jsonForm) {
    case messageForms.plain:
      if (shareEqual && type.sharedTexts !== undefined) {
        return readSharedText(type, type.sharedTexts, bytes, start, end);
      }
      return shareEqual && isShareable(start, end) && !mayLackManagedFields(type)
        ? readShared(type, bytes, start, end, readPlain)
        : readPlain(type, bytes, start, end);
    case messageForms.union:
      return readUnion(type, bytes, start, end);
    default:
      return readForm(type.jsonForm, bytes, start, end, limits, field);
  }
}

/** Reads a message of which nothing but a text is read. When that text is known, no object is made. */
function readSharedText(
  type: MessageType,
  texts: SharedTexts,
  bytes: Buffer,
  start: number,
  end: number,
): object {
  enter();
  const known = texts.find(textIn(type.fields[0] as FieldType, bytes, start, end));
  leave();
  return known ?? texts.shared(readPlain(type, bytes, start, end));
}

/** Returns the text of a field, which is the last one that the message has. */
function textIn(field: FieldType, bytes: Buffer, start: number, end: number): string {
  let text = "";
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === field.tag) {
      at = lengthDelimitedEnd(bytes, outPosition, end);
      text = readString(bytes, outPosition, at, field.lastEntry);
      field.lastEntry = outEntry;
    } else {
      at = skipField(bytes, tag, outPosition, end);
    }
  }
  return text;
}

function readPlain(
  type: MessageType,
  bytes: Buffer,
  start: number,
  end: number,
): Record<string, unknown> {
  enter();
  const object = new type.Plain();
  if (type.isMarked) {
    mark(object);
  }
  readFields(type, bytes, start, end, object);
  leave();
  return object;
}

/** Reads a wrapper message: a list in a message, or one of the three unions of a JSON schema. */
function readUnion(type: MessageType, bytes: Buffer, start: number, end: number): unknown {
  enter();
  const parts: Record<string, unknown> = {};
  readFields(type, bytes, start, end, parts);
  leave();
  return unionValue(type, parts);
}

/** Returns whether a value of which some fields were read, all of them empty, is empty as a whole. */
function isEmptyAsWhole(field: FieldType, bytes: Buffer, start: number, end: number): boolean {
  return withoutReports(() => isEmpty(field, readValue(field, bytes, start, end)));
}

/** Adds the fields that Go always writes to JSON but the message lacked. */
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
      } else if (mayBeUnwritten(field) && !isDropped(field)) {
        // Items of the server's own lists are never null, only empty.
        const isItems =
          depth === 0 && field.jsonName === "items" && field.container === containers.list;
        const zero = isNullWhenUnset(field) ? null : zeroOfEntry(field, bytes);
        object[field.jsonName] = isItems ? [] : zero;
      }
    }
  }
}

/** Returns the value of a map entry that has none: an empty message or an empty scalar. */
function zeroOfEntry(field: FieldType, bytes: Buffer): unknown {
  return field.kind === valueKinds.message
    ? readMessage(field.message, bytes, 0, 0, field.jsonName)
    : zeroOfScalar(field);
}
