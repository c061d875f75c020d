import { type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import type { $ZodDiscriminatedUnion, $ZodType, $ZodTypes, $ZodUnion } from "zod/v4/core";
import type { Conversion } from "./conversion.js";
import { convertDiscriminated } from "./convert-discriminated.js";
import { convertValues, enumValues } from "./convert-literal.js";

/**
 * Converts unions that a structural schema can express: with null, of values, of an integer and a string, and
 * discriminated unions.
 */
export function convertUnion(schema: $ZodUnion, place: Conversion): JsonObject {
  const { def } = schema._zod;
  const options = flattened(def.options as readonly $ZodType[]);
  const inner = options.filter((one) => !["null", "undefined"].includes(one._zod.def.type));
  const isNullable = options.some((one) => one._zod.def.type === "null");
  const json = convertOptions(schema, inner, place);
  return isNullable ? { ...json, nullable: true } : json;
}

function convertOptions(
  schema: $ZodUnion,
  options: readonly $ZodType[],
  place: Conversion,
): JsonObject {
  const [first, second] = options;
  if (first !== undefined && second === undefined) {
    return place.convert(first);
  }
  const { discriminator } = schema._zod.def as Partial<$ZodDiscriminatedUnion["_zod"]["def"]>;
  if (discriminator !== undefined) {
    return convertDiscriminated(discriminator, options, place);
  }
  const values = options.map(valuesOf);
  if (values.every((one) => one !== undefined)) {
    return convertValues([...new Set(values.flat())], place);
  }
  return intOrString(options, place) ?? sameSchema(options, place) ?? refuseUnion(options, place);
}

/** Returns the options of a union and of the plain unions in it. */
function flattened(options: readonly $ZodType[]): $ZodType[] {
  return options.flatMap((option) => {
    const { def } = (option as $ZodTypes)._zod;
    return def.type === "union" && !("discriminator" in def) && (def.checks ?? []).length === 0
      ? flattened(def.options as readonly $ZodType[])
      : [option];
  });
}

function valuesOf(schema: $ZodType): readonly unknown[] | undefined {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "literal":
      return def.values;
    case "enum":
      return enumValues(def.entries);
    default:
      return undefined;
  }
}

/** An integer and a string have a type of their own. Bounds concern the integer, lengths and patterns the string. */
function intOrString(options: readonly $ZodType[], place: Conversion): JsonObject | undefined {
  const types = options.map((one) => one._zod.def.type).sort();
  if (!["number,string", "bigint,string"].includes(types.join(","))) {
    return undefined;
  }
  const [one, other] = options.map((option) => place.convert(option)) as [JsonObject, JsonObject];
  const [text, number] = one["type"] === "string" ? [one, other] : [other, one];
  if (number["type"] !== "integer" || number["enum"] !== undefined || text["enum"] !== undefined) {
    return undefined;
  }
  const { type: _text, format: textFormat, ...texts } = text;
  const { type: _number, format: _int, ...numbers } = number;
  if (textFormat !== undefined) {
    return place.refuse(
      `a union of an integer and a string of the format ${String(textFormat)}`,
      "use intOrString({ pattern })",
    );
  }
  return { "x-kubernetes-int-or-string": true, ...numbers, ...texts };
}

function sameSchema(options: readonly $ZodType[], place: Conversion): JsonObject | undefined {
  if (options.some((one) => one._zod.def.type === "object")) {
    return undefined;
  }
  const types = new Set(options.map((one) => one._zod.def.type));
  if (types.size > 1) {
    return undefined;
  }
  const [first, ...more] = options.map((option) => place.convert(option));
  return more.every((one) => jsonEqual(one, first)) ? first : undefined;
}

function refuseUnion(options: readonly $ZodType[], place: Conversion): JsonObject {
  const types = options.map((one) => one._zod.def.type);
  const isOfObjects = types.every((type) => type === "object");
  return place.refuse(
    `z.union() of ${types.join(", ")}: a field of a definition has one type`,
    isOfObjects
      ? "use z.discriminatedUnion(), or one z.object() with oneOfRequired()"
      : "use one type, intOrString(), a union of literals, or preserveUnknown() for a field without a schema",
  );
}
