import { KubeError } from "../../errors/kube-error.js";
import { ItemWriter } from "./item-writer.js";
import { majorTypes, selfDescribedTag } from "./wire.js";

/** Marks a value that gets the self-described tag. */
export class SelfDescribed {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

const maxInteger = 0x7fff_ffff_ffff_ffffn;
const minInteger = -0x8000_0000_0000_0000n;

/** Writes values by the rules of `JSON.stringify`: omits the same values and writes null for the same values. */
export class ValueWriter {
  readonly #out = new ItemWriter();
  /** Objects around the value being written, to detect cycles. */
  readonly #around: object[] = [];

  finish(): Uint8Array {
    return this.#out.finish();
  }

  value(given: unknown): void {
    if (given instanceof SelfDescribed) {
      this.#out.raw(selfDescribedTag);
      this.value(given.value);
      return;
    }
    const value = toPlain(given, "");
    if (value === undefined) {
      throw new TypeError(`${typeof given} cannot be encoded as CBOR`);
    }
    this.#plain(value);
  }

  #plain(value: unknown): void {
    switch (typeof value) {
      case "string":
        this.#out.text(value);
        break;
      case "number":
        this.#number(value);
        break;
      case "bigint":
        this.#integer(value);
        break;
      case "boolean":
        this.#out.boolean(value);
        break;
      default:
        this.#object(value as object | null);
    }
  }

  #number(value: number): void {
    if (!Number.isFinite(value)) {
      throw invalid(`${value} cannot be encoded: Kubernetes has no NaN and no infinite numbers`);
    }
    if (Number.isSafeInteger(value)) {
      this.#out.integer(value);
    } else if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63) {
      // As in JSON, a whole number is an integer; an integer field would reject a float.
      this.#integer(BigInt(value));
    } else {
      this.#out.float(value);
    }
  }

  #integer(value: bigint): void {
    if (value > maxInteger || value < minInteger) {
      throw invalid("an integer does not fit into signed 64 bits");
    }
    this.#out.bigInteger(value);
  }

  #object(value: object | null): void {
    if (value === null) {
      this.#out.null();
      return;
    }
    if (this.#around.includes(value)) {
      throw invalid("the object contains itself");
    }
    this.#around.push(value);
    if (Array.isArray(value)) {
      this.#out.head(majorTypes.array, value.length);
      for (let i = 0; i < value.length; i++) {
        this.#plain(toPlain(value[i], String(i)) ?? null);
      }
    } else {
      this.#map(value as Readonly<Record<string, unknown>>);
    }
    this.#around.pop();
  }

  #map(object: Readonly<Record<string, unknown>>): void {
    const entries: Entry[] = [];
    for (const key of Object.keys(object)) {
      const given = object[key];
      const value = given instanceof SelfDescribed ? given : toPlain(given, key);
      if (value !== undefined) {
        entries.push({ key, bytes: Buffer.byteLength(key), value });
      }
    }
    entries.sort(byKey);
    this.#out.head(majorTypes.map, entries.length);
    for (const { key, bytes, value } of entries) {
      this.#out.text(key, bytes);
      if (value instanceof SelfDescribed) {
        this.value(value);
      } else {
        this.#plain(value);
      }
    }
  }
}

/** Returns the value that `JSON.stringify` would write; `undefined` for one that it omits. */
function toPlain(given: unknown, key: string): unknown {
  let value = given;
  if (typeof value === "object" && value !== null) {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") {
      value = toJSON.call(value, key);
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      value = value.valueOf();
    }
  }
  return typeof value === "function" || typeof value === "symbol" ? undefined : value;
}

/** Entry of a map, with the length of its key in UTF-8. */
interface Entry {
  readonly key: string;
  readonly bytes: number;
  readonly value: unknown;
}

/** Compares the encodings of two keys: the shorter first, then byte by byte. */
function byKey(a: Entry, b: Entry): number {
  if (a.bytes !== b.bytes) {
    return a.bytes - b.bytes;
  }
  // A string with as many bytes as characters is ASCII, which JavaScript compares in the same order.
  return a.bytes === a.key.length && b.bytes === b.key.length
    ? a.key < b.key
      ? -1
      : 1
    : Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
}

function invalid(message: string): KubeError {
  return new KubeError("InvalidArgument", message);
}
