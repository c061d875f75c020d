import { type JsonObject, setOwn } from "@typekube/core/internal/json";
import type { $ZodObject, $ZodRecord, $ZodType, $ZodTypes } from "zod/v4/core";
import type { Conversion } from "./conversion.js";
import { enumValues } from "./convert-literal.js";
import { isOptional } from "./is-optional.js";

/** Converts `z.object()` and its strict and loose forms. */
export function convertObject(schema: $ZodObject, place: Conversion): JsonObject {
  const { shape, catchall } = schema._zod.def;
  const { properties, required } = convertShape(shape, place);
  const json: JsonObject = { type: "object" };
  if (Object.keys(properties).length > 0) {
    json["properties"] = properties;
  }
  if (required.length > 0) {
    json["required"] = required;
  }
  const rest = catchall?._zod.def.type ?? "never";
  if (rest === "any" || rest === "unknown") {
    json["x-kubernetes-preserve-unknown-fields"] = true;
  } else if (rest !== "never" && Object.keys(properties).length === 0 && catchall !== undefined) {
    json["additionalProperties"] = place.at("[*]").convert(catchall);
  } else if (rest !== "never") {
    place.refuse(
      "catchall() beside properties: a server has either properties or additionalProperties",
      "put the additional keys into a field of their own, with z.record()",
    );
  }
  return json;
}

/** The properties of an object, and the names of those that are required. */
export interface ConvertedShape {
  readonly properties: JsonObject;
  readonly required: string[];
}

/** Converts the properties of an object. */
export function convertShape(
  shape: Readonly<Record<string, $ZodType>>,
  place: Conversion,
): ConvertedShape {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const name of Object.keys(shape)) {
    const property = shape[name] as $ZodType;
    setOwn(properties, name, place.at(`.${name}`).convert(property));
    if (!isOptional(property)) {
      required.push(name);
    }
  }
  return { properties, required };
}

/** Converts `z.record()`. Keys of an enum become properties, so that a server checks them without a rule. */
export function convertRecord(schema: $ZodRecord, place: Conversion): JsonObject {
  const { keyType, valueType, partial, mode } = schema._zod.def as $ZodRecord["_zod"]["def"] & {
    readonly partial?: boolean;
    readonly mode?: string;
  };
  const key = (keyType as $ZodTypes)._zod.def;
  if (key.type === "enum" || key.type === "literal") {
    const names = key.type === "enum" ? enumValues(key.entries) : key.values;
    if (!names.every((name) => typeof name === "string")) {
      return place.refuse("z.record() with keys that are no strings", "use strings as keys");
    }
    const properties: JsonObject = {};
    for (const name of names) {
      setOwn(properties, name, place.at(`.${name}`).convert(valueType as $ZodType));
    }
    const isExhaustive = partial !== true && !isOptional(valueType as $ZodType);
    return { type: "object", properties, ...(isExhaustive ? { required: [...names] } : {}) };
  }
  const isPlainText =
    key.type === "string" && (key.checks ?? []).length === 0 && !("format" in key);
  if (!isPlainText || mode === "loose") {
    return place.refuse(
      `z.record() with keys of type ${key.type} and checks: a server does not check keys`,
      `use z.record(z.string(), ...) with rule(schema, "self.all(key, key.matches('...'))") and a bound of maxProperties`,
    );
  }
  return { type: "object", additionalProperties: place.at("[*]").convert(valueType as $ZodType) };
}
