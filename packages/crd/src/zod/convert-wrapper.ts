import { type JsonObject, jsonEqual, setOwn } from "@typekube/core/internal/json";
import type { $ZodIntersection, $ZodType } from "zod/v4/core";
import type { Conversion } from "./conversion.js";
import { plainNumber } from "./convert-number.js";

/** Adds the default of `default()` and `prefault()`, which servers fill in. */
export function convertDefault(
  inner: JsonObject,
  def: { readonly defaultValue: unknown },
  place: Conversion,
): JsonObject {
  // zod calls a function for each reading.
  const [value, again] = [def.defaultValue, def.defaultValue];
  if (value === undefined) {
    return inner;
  }
  const json = plainJson(value);
  if (json === undefined || json === null) {
    return place.refuse(
      `default() with ${value === null ? "null" : "a value that is not JSON"}`,
      value === null
        ? "servers drop a default of null; leave it out"
        : "use strings, numbers, booleans, lists and objects",
    );
  }
  if (!jsonEqual(json, plainJson(again))) {
    return place.refuse(
      "default() with a function that returns another value each time",
      "a definition has a fixed default; set the value in a controller or a mutating policy",
    );
  }
  return { ...inner, default: json };
}

/** Returns a copy of a value as JSON; `undefined` for values that JSON does not have. */
function plainJson(value: unknown): unknown {
  if (typeof value === "bigint") {
    return plainNumber(value);
  }
  if (value === null || ["boolean", "number", "string"].includes(typeof value)) {
    return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
  }
  if (Array.isArray(value)) {
    const items = value.map(plainJson);
    return items.includes(undefined) ? undefined : items;
  }
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) {
    return undefined;
  }
  const copy: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    const json = plainJson(inner);
    if (json === undefined && inner !== undefined) {
      return undefined;
    }
    if (json !== undefined) {
      setOwn(copy, key, json);
    }
  }
  return copy;
}

/** Converts intersections of objects with different fields, and of the same scalar type. */
export function convertIntersection(schema: $ZodIntersection, place: Conversion): JsonObject {
  const { left, right } = schema._zod.def;
  const [one, other] = [place.convert(left as $ZodType), place.convert(right as $ZodType)];
  if (one["type"] === undefined || one["type"] !== other["type"] || one["type"] === "array") {
    return place.refuse(
      `z.intersection() of ${String(one["type"])} and ${String(other["type"])}`,
      "combine them into one schema",
    );
  }
  return one["type"] === "object" ? mergedObjects(one, other, place) : mergedScalars(one, other);
}

function mergedObjects(one: JsonObject, other: JsonObject, place: Conversion): JsonObject {
  const [left, right] = [one, other].map((json) => (json["properties"] ?? {}) as JsonObject) as [
    JsonObject,
    JsonObject,
  ];
  const properties: JsonObject = { ...left };
  for (const [name, schema] of Object.entries(right)) {
    if (Object.hasOwn(left, name) && !jsonEqual(left[name], schema)) {
      place
        .at(`.${name}`)
        .refuse("z.intersection() with two schemas for one field", "leave one of them out");
    }
    setOwn(properties, name, schema);
  }
  const plain = new Set(["type", "properties", "required", "description"]);
  if ([one, other].some((json) => Object.keys(json).some((key) => !plain.has(key)))) {
    return place.refuse(
      "z.intersection() of objects with rules, records or unions",
      "combine them into one z.object()",
    );
  }
  const required = [one, other].flatMap((json) => (json["required"] ?? []) as string[]);
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

function mergedScalars(one: JsonObject, other: JsonObject): JsonObject {
  const { type: _type, description: _description, allOf = [], ...checks } = other;
  const parts = [
    ...((one["allOf"] ?? []) as unknown[]),
    ...(Object.keys(checks).length === 0 ? [] : [checks]),
    ...(allOf as unknown[]),
  ];
  return { ...one, ...(parts.length === 0 ? {} : { allOf: parts }) };
}
