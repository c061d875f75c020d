import type { StructuralSchema } from "@typekube/schema";
import { stringLiteral } from "../text/source-text.js";

/** Returns the literal types of an enumeration, of which `allOf` may hold a part; `undefined` without one. */
export function enumOf(schema: StructuralSchema): string | undefined {
  const lists = [schema, ...schema.allOf]
    .map(({ source }) => source["enum"])
    .filter((list): list is unknown[] => Array.isArray(list) && list.length > 0);
  const [first, ...others] = lists;
  const values = first?.filter((value) => others.every((list) => list.includes(value))) ?? [];
  const isLiteral = (value: unknown) =>
    value === null || ["bigint", "boolean", "number", "string"].includes(typeof value);
  if (values.length === 0 || !values.every(isLiteral)) {
    return undefined;
  }
  const texts = values.map((value) =>
    typeof value === "string"
      ? stringLiteral(value)
      : typeof value === "bigint"
        ? `${value}n`
        : String(value),
  );
  return [...new Set(texts)].join(" | ");
}
