import type { JsonObject } from "@typekube/core/internal/json";
import type { Conversion } from "./conversion.js";
import { plainNumber } from "./convert-number.js";

/** Returns the values of an enum, without the reverse names of a numeric TypeScript enum. */
export function enumValues(
  entries: Readonly<Record<string, number | string>>,
): (number | string)[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === "number"));
  return Object.entries(entries)
    .filter(([key]) => !numbers.has(Number(key)))
    .map(([, value]) => value);
}

/** Converts literals and enums: values of one type, and perhaps null. */
export function convertValues(values: readonly unknown[], place: Conversion): JsonObject {
  const plain = values.filter((value) => value !== null && value !== undefined);
  const found = new Set(plain.map(jsonType));
  const types = found.has("number") && found.has("integer") ? new Set(["number"]) : found;
  const [type] = types;
  if (type === undefined || types.size > 1 || type === "none") {
    return place.refuse(
      plain.length === 0
        ? "z.literal() without a value of a JSON type"
        : `values of several types: ${[...found].join(", ")}`,
      "an enum of a definition has values of one type: string, integer, number or boolean",
    );
  }
  return {
    type,
    ...(values.includes(null) ? { nullable: true } : {}),
    enum: plain.map((value) => (typeof value === "bigint" ? plainNumber(value) : value)),
  };
}

function jsonType(value: unknown): string {
  switch (typeof value) {
    case "bigint":
      return "integer";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    case "boolean":
    case "string":
      return typeof value;
    default:
      return "none";
  }
}
