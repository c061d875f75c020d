import { KubeError } from "@typekube/core";
import { maxNesting } from "./body-nesting.js";

/** A problem of a CBOR body, with the message of a real server. */
export interface CborProblem {
  readonly message: string;
  /** `true` when the kind of the object can be determined despite the problem. */
  readonly isInside: boolean;
}

/** Explains why the codec rejected a body. Only then are its bytes parsed a second time, for a meaningful message. */
export function cborProblem(bytes: Uint8Array, refusal: unknown): CborProblem {
  if (bytes.byteLength === 0) {
    return { message: "EOF", isInside: false };
  }
  if (refusal instanceof KubeError && refusal.code === "TooLarge") {
    return { message: `cbor: exceeded max nested level ${maxNesting}`, isInside: false };
  }
  const walk: Walk = { bytes: Buffer.from(bytes), at: 0, duplicate: undefined };
  try {
    walkItem(walk, 0);
    const left = bytes.byteLength - walk.at;
    if (left > 0) {
      const message = `cbor: ${left} bytes of extraneous data starting at index ${walk.at}`;
      return { message, isInside: false };
    }
  } catch (error) {
    return { message: (error as Error).message, isInside: false };
  }
  const why = refusal instanceof KubeError ? refusal.rawMessage : "it cannot be read";
  return walk.duplicate ?? { message: `cbor: ${why}`, isInside: true };
}

const typeNames = [
  "positive integer",
  "negative integer",
  "byte string",
  "UTF-8 text string",
  "array",
  "map",
  "tag",
  "primitives",
];

/** Returns the CBOR type of a body's data item, as named in errors. */
export function cborTypeOf(bytes: Uint8Array): string {
  const start = bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7 ? 3 : 0;
  return typeNames[(bytes[start] ?? 0) >> 5] ?? "";
}

interface Walk {
  readonly bytes: Buffer;
  at: number;
  /** The first duplicate key in a map. */
  duplicate: CborProblem | undefined;
}

const indefinite = 31;
const breakByte = 0xff;

function walkItem(walk: Walk, depth: number): void {
  if (depth > maxNesting) {
    throw new Error(`cbor: exceeded max nested level ${maxNesting}`);
  }
  const head = take(walk, 1);
  const first = walk.bytes[head] as number;
  const major = first >> 5;
  const info = first & 31;
  const argument = info === indefinite ? undefined : argumentOf(walk, info, major);
  switch (major) {
    case 2:
    case 3:
      eachOf(walk, argument === undefined ? undefined : 0, () => walkItem(walk, depth));
      take(walk, argument ?? 0);
      return;
    case 4:
      eachOf(walk, argument, () => walkItem(walk, depth + 1));
      return;
    case 5:
      walkMap(walk, argument, depth);
      return;
    case 6:
      if (argument === 2 || argument === 3) {
        throw new Error("cbor: data item of cbor type tag is not accepted by protocol: bignum");
      }
      walkItem(walk, isSelfDescribed(argument) ? depth : depth + 1);
      return;
    default:
  }
}

function isSelfDescribed(tag: number | undefined): boolean {
  return tag === 55799;
}

/** Reads the argument of a head; for a simple value it checks the float. */
function argumentOf(walk: Walk, info: number, major: number): number {
  if (info < 24) {
    return info;
  }
  const size = 1 << (info - 24);
  const at = take(walk, size);
  const { bytes } = walk;
  if (major === 7 && size > 1) {
    assertFinite(
      size === 2
        ? halfOf(bytes.readUInt16BE(at))
        : size === 4
          ? bytes.readFloatBE(at)
          : bytes.readDoubleBE(at),
    );
    return 0;
  }
  return size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size);
}

/** Decodes a half-precision float only as far as needed to distinguish finite, infinite and NaN. */
function halfOf(bits: number): number {
  const isSpecial = (bits & 0x7c00) === 0x7c00;
  return !isSpecial ? 0 : (bits & 0x3ff) === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
}

function assertFinite(value: number): void {
  if (!Number.isFinite(value)) {
    const what = Number.isNaN(value) ? "NaN" : "infinity";
    throw new Error(
      `cbor: data item of cbor type primitives is not accepted by protocol: floating-point ${what}`,
    );
  }
}

function walkMap(walk: Walk, pairs: number | undefined, depth: number): void {
  const keys = new Set<string>();
  eachOf(walk, pairs, (index) => {
    const start = walk.at;
    walkItem(walk, depth + 1);
    const key = walk.bytes.toString("latin1", start, walk.at);
    if (keys.has(key) && walk.duplicate === undefined) {
      const name = JSON.stringify(textOf(walk.bytes.subarray(start, walk.at)));
      const message = `cbor: found duplicate map key ${name} at map element index ${index}`;
      walk.duplicate = { message, isInside: depth > 0 };
    }
    keys.add(key);
    walkItem(walk, depth + 1);
  });
}

/** Returns the text of a string item that includes its head. */
function textOf(item: Buffer): string {
  const info = (item[0] as number) & 31;
  return item.toString("utf8", info < 24 ? 1 : 1 + (1 << (info - 24)));
}

function eachOf(walk: Walk, count: number | undefined, visit: (index: number) => void): void {
  for (let index = 0; count === undefined || index < count; index++) {
    if (count === undefined && walk.bytes[walk.at] === breakByte) {
      walk.at++;
      return;
    }
    visit(index);
  }
}

/** Skips bytes and returns their start position. */
function take(walk: Walk, count: number): number {
  const start = walk.at;
  walk.at += count;
  if (walk.at > walk.bytes.length) {
    throw new Error("unexpected EOF");
  }
  return start;
}
