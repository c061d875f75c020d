import { stringifyJson } from "@typekube/core";
import { isJsonObject } from "../store/json-value.js";

/** A value as Go prints it: `x`, `[1 2]`, `map[a:1]`. */
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

/** A value as server-side apply shows it in Go's own notation: `&value.valueUnstructured{Value:1}`. */
export function goSyntax(value: unknown): string {
  return `&value.valueUnstructured{Value:${notation(value)}}`;
}

/** The name of the Go type that JSON is read into. */
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
