import { type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import type { $ZodArray, $ZodTuple, $ZodType } from "zod/v4/core";
import type { Conversion } from "./conversion.js";
import { isOptional } from "./is-optional.js";
import { readChecks } from "./read-checks.js";

/** Converts `z.array()`. */
export function convertArray(schema: $ZodArray, place: Conversion): JsonObject {
  const { minSize, maxSize } = readChecks(schema, place);
  return {
    type: "array",
    items: place.at("[]").convert(schema._zod.def.element as $ZodType),
    ...(minSize === undefined ? {} : { minItems: minSize }),
    ...(maxSize === undefined ? {} : { maxItems: maxSize }),
  };
}

/** Converts tuples whose items have one type; a definition has one schema for all items. */
export function convertTuple(schema: $ZodTuple, place: Conversion): JsonObject {
  const { items, rest } = schema._zod.def;
  const [first, ...more] = [...items, ...(rest === null ? [] : [rest])] as $ZodType[];
  const converted = first === undefined ? undefined : place.at("[]").convert(first);
  const isUniform = more.every((item) => jsonEqual(place.at("[]").convert(item), converted));
  if (converted === undefined || !isUniform) {
    return place.refuse(
      "z.tuple() of several types: the items of a list have one schema",
      "use z.object() with a name for each item",
    );
  }
  return {
    type: "array",
    items: converted,
    minItems: items.filter((item) => !isOptional(item as $ZodType)).length,
    ...(rest === null ? { maxItems: items.length } : {}),
  };
}
