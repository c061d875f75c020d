import { KubeError } from "../../errors/kube-error.js";
import { integerOf } from "../whole-numbers.js";

/** Integers with fewer digits always fit a number exactly. */
const minDigits = 16;
const half = minDigits / 2;

/**
 * Returns whether the bytes hold a run of digits that a number may be unable to hold exactly. A run of 16 covers one of
 * every 16 positions, so one byte in 16 is inspected.
 */
export function mayHoldLargeInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start + minDigits - 1; at < end; at += minDigits) {
    // In a run of 16 digits, eight precede this one or eight follow it. In a uid or an address mostly neither is the
    // case.
    if (isDigit(bytes[at]) && (isDigit(bytes[at - half]) || isDigit(bytes[at + half]))) {
      let first = at;
      let last = at;
      while (first > start && isDigit(bytes[first - 1])) {
        first--;
      }
      while (last + 1 < end && isDigit(bytes[last + 1])) {
        last++;
      }
      if (
        last - first + 1 >= minDigits &&
        (first === start || mayPrecedeNumber(bytes[first - 1]))
      ) {
        return true;
      }
      // Skips the run: measuring it again from each 16th digit would take minutes for a million digits.
      at = last;
    }
  }
  return false;
}

/** Returns whether a number may follow the byte. After any other byte, digits are part of a string: a digest, a uid. */
function mayPrecedeNumber(byte: number | undefined): boolean {
  switch (byte) {
    case 0x09: // white space
    case 0x0a:
    case 0x0d:
    case 0x20:
    case 0x2c: // ,
    case 0x2d: // -
    case 0x3a: // :
    case 0x5b: // [
      return true;
    default:
      return false;
  }
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

// JSON.parse's source access and JSON.rawJSON require Node 22. Until then, an integer passes through JSON.parse and
// JSON.stringify as a string with a prefix that no peer can guess.
interface Marker {
  readonly prefix: string;
  /** Matches a marked integer in JSON text. */
  readonly marked: RegExp;
}

let createdMarker: Marker | undefined;

/** Creates the marker with the first large integer: most programs have none, and loading crypto takes milliseconds. */
function marker(): Marker {
  if (createdMarker === undefined) {
    const prefix = `int64:${globalThis.crypto.randomUUID()}:`;
    createdMarker = { prefix, marked: new RegExp(`"${prefix}(-?\\d+)"`, "g") };
  }
  return createdMarker;
}

const number = /-?\d+(?:[.eE][-+\d.eE]*)?/g;

/**
 * Parses JSON text. An integer that `JSON.parse` would round becomes a `bigint`.
 *
 * @throws {KubeError} `TooLarge` for a number of more than `maxLength` characters.
 */
export function parseWithLargeIntegers(text: string, maxLength: number): unknown {
  JSON.parse(text); // reports syntax errors of the original text, before anything in it is replaced
  const { prefix } = marker();
  return JSON.parse(marked(text, maxLength), (_, field: unknown) =>
    typeof field === "string" && field.startsWith(prefix)
      ? BigInt(field.slice(prefix.length))
      : field,
  );
}

/** Replaces the large integers of the text by marked strings. Skips existing strings, which may have any size. */
function marked(text: string, maxLength: number): string {
  let done = "";
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const stop = quote < 0 ? text.length : quote;
    if (stop - at >= minDigits) {
      if (stop - at > maxLength) {
        assertNumberLengths(text, at, stop, maxLength);
      }
      const between = text.slice(at, stop);
      const replaced = between.replace(number, mark);
      if (replaced !== between) {
        done += text.slice(from, at) + replaced;
        from = stop;
      }
    }
    at = quote < 0 ? text.length : behindString(text, quote);
  }
  return done + text.slice(from);
}

/**
 * Checks the length of numbers before any pattern or `BigInt` reads them: both take disproportionately long for long
 * numbers.
 */
function assertNumberLengths(text: string, from: number, to: number, maxLength: number): void {
  let length = 0;
  for (let at = from; at < to; at++) {
    length = mayStandInNumber(text.charCodeAt(at)) ? length + 1 : 0;
    if (length > maxLength) {
      throw new KubeError(
        "TooLarge",
        `a number is longer than maxNumberLength (${maxLength} characters)`,
        { hint: "raise limits.maxNumberLength if you expect numbers this long" },
      );
    }
  }
}

/** Returns true for a digit, a sign, a point or the letter of an exponent. */
function mayStandInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65;
}

function mark(token: string): string {
  const isLarge = /^-?\d{16,}$/.test(token) && typeof integerOf(token) === "bigint";
  return isLarge ? `"${marker().prefix}${token}"` : token;
}

/** Returns the position after the string that begins at `start`. */
function behindString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === "\\") {
      before--;
    }
    if ((end - before) % 2 === 1) {
      return end + 1;
    }
  }
  return text.length;
}

/**
 * Works like `JSON.stringify` for a value that holds a `bigint`: writes it as an integer, even if the program defined
 * `BigInt.prototype.toJSON`. Returns `undefined` for a value without a JSON form.
 */
export function stringifyWithLargeIntegers(value: unknown): string | undefined {
  const { prefix, marked } = marker();
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, field: unknown) {
    const own = this[key];
    return typeof own === "bigint" ? `${prefix}${own}` : field;
  }) as string | undefined;
  return text?.replace(marked, "$1");
}

/** Returns whether a value holds a `bigint` anywhere. */
export function holdsBigInt(value: unknown): boolean {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint";
  }
  return Object.values(value).some(holdsBigInt);
}
