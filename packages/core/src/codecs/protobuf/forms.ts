import type { Buffer } from "node:buffer";
import { decodeError } from "../decode-error.js";
import { parseJson } from "../json/decode.js";
import { readString } from "./strings.js";
import { position, readInteger, readVarint, skipValue } from "./wire.js";

// The messages whose JSON is not an object of their fields. Each reader gets the bytes between two positions.

/** Times repeat: many objects are born in the same second. Slots by second, fixed in number. */
const timeSlots = 1 << 11;
const timeSeconds: number[] = new Array<number>(timeSlots).fill(Number.NaN);
const timeTexts: string[] = new Array<string>(timeSlots).fill("");

/** metav1.Time: RFC 3339 in seconds, `null` for the zero time. */
export function readTime(bytes: Uint8Array, start: number, end: number): string | null {
  if (start === end) {
    return null;
  }
  const seconds = readSeconds(bytes, start, end);
  const slot = seconds & (timeSlots - 1);
  if (timeSeconds[slot] !== seconds) {
    timeTexts[slot] = `${dateTime(seconds)}Z`;
    timeSeconds[slot] = seconds;
  }
  return timeTexts[slot] as string;
}

/** metav1.MicroTime: RFC 3339 with six digits, `null` for the zero time. */
export function readMicroTime(bytes: Uint8Array, start: number, end: number): string | null {
  if (start === end) {
    return null;
  }
  const seconds = readSeconds(bytes, start, end);
  const micros = Math.trunc(nanos / 1000);
  return `${dateTime(seconds)}.${String(micros).padStart(6, "0")}Z`;
}

let nanos = 0;

function readSeconds(bytes: Uint8Array, start: number, end: number): number {
  let seconds = 0;
  nanos = 0;
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === 8) {
      seconds = Number(readInteger(bytes, position));
      at = position;
    } else if (tag === 16) {
      nanos = Number(readInteger(bytes, position));
      at = position;
    } else {
      at = skipValue(bytes, tag & 7, position, end);
    }
  }
  if (at !== end) {
    throw decodeError("a time is cut");
  }
  return seconds;
}

function dateTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) {
    throw decodeError(`${seconds} seconds since 1970 are no time`);
  }
  return date.toISOString().replace(/\.\d+Z$/, "");
}

/** resource.Quantity: its canonical text. */
export function readQuantity(bytes: Buffer, start: number, end: number): string {
  const text = readSingle(bytes, start, end);
  return text === undefined ? "0" : readString(bytes, text.start, text.end);
}

/** RawExtension, FieldsV1 and apiextensions' JSON: the JSON that the bytes hold. */
export function readRaw(bytes: Buffer, start: number, end: number): unknown {
  const raw = readSingle(bytes, start, end);
  if (raw === undefined || raw.start === raw.end) {
    return null;
  }
  return parseJson(bytes, raw.start, raw.end);
}

/** Where the bytes of field 1 stand in a message that has no other. */
export function readSingle(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    const valueStart = position;
    at = skipValue(bytes, tag & 7, valueStart, end);
    if (tag === 10) {
      const length = readVarint(bytes, valueStart);
      found = { start: position, end: position + length };
    }
  }
  return found;
}

/** intstr.IntOrString: a number or a string. */
export function readIntOrString(bytes: Buffer, start: number, end: number): number | string {
  let isString = false;
  let number = 0;
  let text = "";
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === 8) {
      isString = readVarint(bytes, position) !== 0;
      at = position;
    } else if (tag === 16) {
      number = Number(readInteger(bytes, position));
      at = position;
    } else {
      const valueStart = position;
      at = skipValue(bytes, tag & 7, valueStart, end);
      if (tag === 26) {
        const length = readVarint(bytes, valueStart);
        text = readString(bytes, position, position + length);
      }
    }
  }
  if (at !== end) {
    throw decodeError("a number or string is cut");
  }
  return isString ? text : number;
}
