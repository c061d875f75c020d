import { KubeError } from "../../errors/kube-error.js";
import { literalBlock, quoted } from "./quote.js";

/**
 * Encodes a value as one YAML document, with the keys sorted as servers write them. The content is that of the value's
 * JSON: `undefined` fields are omitted and `toJSON` is called. Readers of YAML 1.1 and 1.2 and API servers read every
 * string back unchanged (ALT10).
 *
 * Lone surrogates are written as U+FFFD, as Go stores them.
 *
 * @throws {KubeError} `InvalidArgument` for numbers that JSON does not have, and for objects that contain themselves.
 */
export function encodeYaml(value: unknown): Uint8Array {
  return Buffer.from(writeYaml(value), "utf8");
}

/** Works like {@link encodeYaml}, but returns text. */
export function writeYaml(value: unknown): string {
  try {
    const writer = new YamlWriter();
    writer.write(value);
    return writer.text();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new KubeError(
        "InvalidArgument",
        "the object nests deeper than the call stack allows, so it cannot be written as YAML",
      );
    }
    throw error;
  }
}

/** Longest key without a leading `?`: YAML searches no further than 1024 characters for the colon. */
const maxSimpleKey = 1000;

class YamlWriter {
  readonly #pieces: string[] = [];
  /** Objects around the value being written, to detect cycles. */
  readonly #around = new Set<object>();

  text(): string {
    return this.#pieces.join("");
  }

  write(value: unknown): void {
    const json = asJson(value, "");
    if (json === undefined) {
      throw refusal(`a ${typeof value}`);
    }
    if (isFilled(json)) {
      this.#collection(json, "", "");
    } else {
      this.#pieces.push(scalar(json, "  "), "\n");
    }
  }

  /**
   * Writes the entries of a mapping or a sequence, one per line.
   *
   * @param first - beginning of the first line, in place of `indent`; empty after a `- `.
   */
  #collection(value: object, indent: string, first: string): void {
    if (this.#around.has(value)) {
      throw refusal("an object that contains itself");
    }
    this.#around.add(value);
    let begin = first;
    for (const [key, entry] of Array.isArray(value) ? elements(value) : fields(value)) {
      this.#pieces.push(begin);
      begin = indent;
      if (key === undefined) {
        this.#element(entry, indent);
      } else {
        this.#field(key, entry, indent);
      }
    }
    this.#around.delete(value);
  }

  #field(key: string, value: unknown, indent: string): void {
    const name = text(key);
    const isLong = name.length > maxSimpleKey;
    this.#pieces.push(isLong ? `? ${name}\n${indent}:` : `${name}:`);
    if (!isFilled(value)) {
      this.#pieces.push(" ", scalar(value, `${indent}  `), "\n");
      return;
    }
    // Elements of a sequence are not indented below its key, as in kubectl's output.
    const inner = Array.isArray(value) ? indent : `${indent}  `;
    this.#pieces.push("\n");
    this.#collection(value, inner, inner);
  }

  #element(value: unknown, indent: string): void {
    this.#pieces.push("- ");
    if (isFilled(value)) {
      this.#collection(value, `${indent}  `, "");
    } else {
      this.#pieces.push(scalar(value, `${indent}  `), "\n");
    }
  }
}

/** Returns the value that JSON would hold; `undefined` when it would hold nothing. */
function asJson(value: unknown, key: string): unknown {
  const toJson = (value as { toJSON?: unknown } | null | undefined)?.toJSON;
  const json: unknown = typeof toJson === "function" ? toJson.call(value, key) : value;
  return typeof json === "function" || typeof json === "symbol" ? undefined : json;
}

function* elements(array: readonly unknown[]): Iterable<[undefined, unknown]> {
  for (const [index, element] of array.entries()) {
    yield [undefined, asJson(element, String(index)) ?? null];
  }
}

function* fields(object: object): Iterable<[string, unknown]> {
  for (const key of Object.keys(object).sort()) {
    const value = asJson((object as Record<string, unknown>)[key], key);
    if (value !== undefined) {
      yield [key, value];
    }
  }
}

/** Returns whether a value takes lines of its own. */
function isFilled(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    (Array.isArray(value) ? value.length > 0 : hasFields(value))
  );
}

function hasFields(object: object): boolean {
  return Object.entries(object).some(([key, value]) => asJson(value, key) !== undefined);
}

function scalar(value: unknown, indent: string): string {
  switch (typeof value) {
    case "string":
      return literalBlock(wellFormed(value), indent) ?? quoted(value);
    case "number":
      return number(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "[]" : "{}";
    default:
      return String(value);
  }
}

function text(value: string): string {
  return quoted(wellFormed(value));
}

/** Replaces lone surrogates by U+FFFD, as Go stores them. */
function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Formats a number. YAML 1.1 has no exponent without a point before it. */
function number(value: number): string {
  if (!Number.isFinite(value)) {
    throw refusal(String(value));
  }
  return Object.is(value, -0) ? "-0.0" : String(value).replace(/^(-?\d+)e/, "$1.0e");
}

function refusal(what: string): KubeError {
  return new KubeError(
    "InvalidArgument",
    `the object cannot be written as YAML: it contains ${what}`,
  );
}
