import { stringifyJson } from "../codecs/json/encode.js";
import { isJsonObject } from "../objects/json-value.js";

/** Formats a value like Go's print functions: `x`, `[1 2]`, `map[a:1]`. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(goText).join(" ")}]`;
  }
  if (isJsonObject(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${key}:${goText(value[key])}`);
    return `map[${entries.join(" ")}]`;
  }
  return value === null ? "<nil>" : String(value);
}

const shortEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
};

/** Quotes a text like Go's `%q`: `"a\ab"`, `"\x01"`, `"\u00ad"`. */
export function goQuoted(text: string): string {
  // Control and other unprintable characters. The expression stands here since it is slow to create: imports don't wait for it.
  const notPrinted = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
  const escaped = text.replace(/["\\]/g, "\\$&").replace(notPrinted, (rune) => {
    const code = rune.codePointAt(0) ?? 0;
    const hex = (digits: number) => code.toString(16).padStart(digits, "0");
    const long = code > 0xffff ? `\\U${hex(8)}` : `\\u${hex(4)}`;
    return shortEscapes[rune] ?? (code < 0x80 ? `\\x${hex(2)}` : long);
  });
  return `"${escaped}"`;
}

/** Formats a value in Go syntax, as server-side apply shows it: `&value.valueUnstructured{Value:1}`. */
export function goSyntax(value: unknown): string {
  return `&value.valueUnstructured{Value:${notation(value)}}`;
}

/** Returns the name of the Go type for a JSON value. */
export function goTypeName(value: unknown): string {
  if (Array.isArray(value)) {
    return "[]interface {}";
  }
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    case "bigint":
      return "int64";
    default:
      return "map[string]interface {}";
  }
}

function notation(value: unknown): string {
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map(notation).join(", ")}}`;
  }
  if (isJsonObject(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${stringifyJson(key)}:${notation(value[key])}`);
    return `map[string]interface {}{${entries.join(", ")}}`;
  }
  return value === null ? "interface {}(nil)" : stringifyJson(value);
}
