import type { TextBuffer } from "../../bytes/bytes.js";
import { defaultLimits, type Limits } from "../../options/limits.js";
import { readString } from "../common-strings.js";
import { decodeError } from "../decode-error.js";
import { assertJsonDepth } from "../json/depth.js";
import { parseJson } from "../json/parse.js";
import { type MessageForm, messageForms } from "./message-type.js";
import {
  lengthDelimitedEnd,
  outPosition,
  readInteger,
  readVarint,
  skipField,
  toInt32,
} from "./wire.js";

/** Forms that are read here, of messages whose JSON is not an object of their fields. */
export type ValueForm = Exclude<MessageForm, typeof messageForms.plain | typeof messageForms.union>;

/**
 * Reads a message of such a form.
 *
 * @param limits - limits of the JSON in it.
 * @param field - name of the field that holds the message, for errors.
 */
export function readForm(
  form: ValueForm,
  bytes: Buffer,
  start: number,
  end: number,
  limits: Partial<Limits>,
  field: string,
): unknown {
  switch (form) {
    case messageForms.time:
      return readTime(bytes, start, end, field);
    case messageForms.microTime:
      return readMicroTime(bytes, start, end, field);
    case messageForms.quantity:
      return readQuantity(bytes, start, end);
    case messageForms.intOrString:
      return readIntOrString(bytes, start, end, field);
    case messageForms.raw:
      return readRaw(bytes, start, end, limits);
    default:
      return form satisfies never;
  }
}

/** Number of slots for formatted times, by second. Times repeat, because many objects are created in the same second. */
const timeSlots = 1 << 11;
const timeSeconds: number[] = new Array<number>(timeSlots).fill(Number.NaN);
const timeTexts: string[] = new Array<string>(timeSlots).fill("");

/** Reads a metav1.Time: RFC 3339 in seconds, `null` for the zero time. */
function readTime(bytes: Uint8Array, start: number, end: number, field: string): string | null {
  if (start === end) {
    return null;
  }
  const seconds = readSeconds(bytes, start, end, field);
  const slot = seconds & (timeSlots - 1);
  if (timeSeconds[slot] !== seconds) {
    timeTexts[slot] = dateTime(seconds);
    timeSeconds[slot] = seconds;
  }
  return timeTexts[slot] as string;
}

/** Reads a metav1.MicroTime: RFC 3339 with six fractional digits, `null` for the zero time. */
function readMicroTime(
  bytes: Uint8Array,
  start: number,
  end: number,
  field: string,
): string | null {
  if (start === end) {
    return null;
  }
  const seconds = readSeconds(bytes, start, end, field);
  const micros = Math.trunc(outNanos / 1000);
  // As in Go's time.Unix, the nanoseconds may exceed a second or be negative.
  const more = Math.floor(micros / 1e6);
  return `${dateTime(seconds + more).slice(0, -1)}.${String(micros - more * 1e6).padStart(6, "0")}Z`;
}

// A second result: docs/wire.md, "Second results".
/** Nanoseconds of the time that {@link readSeconds} read last. */
let outNanos = 0;

function readSeconds(bytes: Uint8Array, start: number, end: number, field: string): number {
  let seconds = 0;
  outNanos = 0;
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === 8) {
      seconds = Number(readInteger(bytes, outPosition));
      at = outPosition;
    } else if (tag === 16) {
      outNanos = toInt32(readInteger(bytes, outPosition));
      at = outPosition;
    } else {
      at = skipField(bytes, tag, outPosition, end);
    }
  }
  if (at !== end) {
    throw decodeError(`the time in ${field} is truncated`);
  }
  return seconds;
}

/** Text of the last formatted time; only its digits change. */
const timeBytes = Buffer.from("0000-00-00T00:00:00Z", "latin1");
const secondsPerDay = 86_400;
/** Day in `timeBytes`: the times of an object mostly fall on the same day. */
let dayInBytes = Number.NaN;
/** 0000-01-01 and 10000-01-01 in days since 1970. The years between them have four digits. */
const firstDay = -719_528;
const endDay = 2_932_897;

/** Formats a time as RFC 3339 in seconds. `Date` takes four times as long and creates two more strings. */
function dateTime(seconds: number): string {
  const day = Math.floor(seconds / secondsPerDay);
  if (!(day >= firstDay && day < endDay)) {
    const date = new Date(seconds * 1000);
    if (Number.isNaN(date.getTime())) {
      throw decodeError(`${seconds} seconds since 1970 are not a valid time`);
    }
    return date.toISOString().replace(/\.\d+Z$/, "Z");
  }
  if (day !== dayInBytes) {
    writeDate(day);
    dayInBytes = day;
  }
  const rest = seconds - day * secondsPerDay;
  writeTwoDigits(11, (rest / 3600) | 0);
  writeTwoDigits(14, ((rest / 60) | 0) % 60);
  writeTwoDigits(17, rest % 60);
  return (timeBytes as TextBuffer).latin1Slice(0, timeBytes.length);
}

const daysPer400Years = 146_097;
const daysPer100Years = 36_524;
const daysPer4Years = 1_461;

/**
 * Writes the date of a day since 1970. Years start in March, so that a leap day is the last day of its year and the
 * months before it follow a pattern: 153 days in every five.
 */
function writeDate(day: number): void {
  const marchBased = day + 719_468;
  const era = Math.floor(marchBased / daysPer400Years);
  const dayOfEra = marchBased - era * daysPer400Years;
  const leapDays =
    ((dayOfEra / (daysPer4Years - 1)) | 0) -
    ((dayOfEra / daysPer100Years) | 0) +
    ((dayOfEra / (daysPer400Years - 1)) | 0);
  const yearOfEra = ((dayOfEra - leapDays) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const monthFromMarch = ((5 * dayOfYear + 2) / 153) | 0;
  const dayOfMonth = dayOfYear - (((153 * monthFromMarch + 2) / 5) | 0) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  writeTwoDigits(0, (year / 100) | 0);
  writeTwoDigits(2, year % 100);
  writeTwoDigits(5, month);
  writeTwoDigits(8, dayOfMonth);
}

function writeTwoDigits(at: number, value: number): void {
  const tens = (value / 10) | 0;
  timeBytes[at] = 0x30 + tens;
  timeBytes[at + 1] = 0x30 + value - tens * 10;
}

/** Reads a resource.Quantity: its canonical text. */
function readQuantity(bytes: Buffer, start: number, end: number): string {
  const textEnd = endOfSingle(bytes, start, end);
  return textEnd < 0 ? "0" : readString(bytes, outSingleStart, textEnd);
}

/**
 * Parses the JSON that a RawExtension, a FieldsV1 or an apiextensions JSON holds.
 *
 * @param limits - limits of its values.
 */
export function readRaw(
  bytes: Buffer,
  start: number,
  end: number,
  limits: Partial<Limits> = {},
): unknown {
  const rawEnd = endOfSingle(bytes, start, end);
  const rawStart = outSingleStart;
  if (rawEnd < 0 || rawStart === rawEnd) {
    return null;
  }
  assertJsonDepth(bytes, rawStart, rawEnd, limits.maxDepth ?? defaultLimits.maxDepth);
  return parseJson(bytes, rawStart, rawEnd, limits);
}

// A second result: docs/wire.md, "Second results".
/** Start of the field that {@link endOfSingle} found last. */
export let outSingleStart = 0;

/** Returns the end of field 1 in a message that has no other field; -1 if it lacks it. */
export function endOfSingle(bytes: Uint8Array, start: number, end: number): number {
  let found = -1;
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === 10) {
      at = lengthDelimitedEnd(bytes, outPosition, end);
      outSingleStart = outPosition;
      found = at;
    } else {
      at = skipField(bytes, tag, outPosition, end);
    }
  }
  return found;
}

/** Reads an intstr.IntOrString: a number or a string. */
function readIntOrString(
  bytes: Buffer,
  start: number,
  end: number,
  field: string,
): number | string {
  let isString = false;
  let number = 0;
  let text = "";
  let at = start;
  while (at < end) {
    const tag = readVarint(bytes, at);
    if (tag === 8) {
      isString = readVarint(bytes, outPosition) !== 0;
      at = outPosition;
    } else if (tag === 16) {
      number = toInt32(readInteger(bytes, outPosition));
      at = outPosition;
    } else if (tag === 26) {
      at = lengthDelimitedEnd(bytes, outPosition, end);
      text = readString(bytes, outPosition, at);
    } else {
      at = skipField(bytes, tag, outPosition, end);
    }
  }
  if (at !== end) {
    throw decodeError(`the number or string in ${field} is truncated`);
  }
  return isString ? text : number;
}
