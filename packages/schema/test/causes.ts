import type { JsonObject } from "@typekube/core/internal";
import { evaluate } from "../src/evaluation/evaluate.js";

/** Returns what the rules of a schema find on an object: a line "field: message" for each cause. */
export function causesOf(
  schema: JsonObject,
  object: unknown,
  oldObject?: unknown,
): readonly string[] {
  return evaluate({ schema, object, oldObject, version: "1.37" }).causes.map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

/** Returns the cause of a rule at `spec` that reads a field which it cannot reach. */
export function undefinedField(field: string, rule: string): string {
  // An error in has() is at its bracket, any other one at the dot.
  const column = rule.startsWith("has(") ? 3 : rule.indexOf(".");
  return `spec: Invalid value: "object": rule compile error: compilation failed: ERROR: <input>:1:${column + 1}: undefined field '${field}'\n | ${rule}\n | ${".".repeat(column)}^`;
}
