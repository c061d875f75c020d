import type { JsonObject } from "@typekube/core/internal/json";
import type { $ZodType } from "zod/v4/core";
import type { Conversion } from "./conversion.js";
import { type Bound, readChecks } from "./read-checks.js";

const maxUint32 = 4_294_967_295;

/** Keywords for zod's formats. Servers have integers of 64 bits; zod's bounds of 2^53 are those of JavaScript. */
const formats: Readonly<Record<string, JsonObject>> = {
  safeint: { type: "integer", format: "int64" },
  int32: { type: "integer", format: "int32" },
  uint32: { type: "integer", format: "int64", minimum: 0, maximum: maxUint32 },
  float32: { type: "number", format: "float" },
  float64: { type: "number", format: "double" },
  int64: { type: "integer", format: "int64" },
};

/** Converts `z.number()`, `z.int()`, `z.int32()` and the like, and `z.bigint()`. */
export function convertNumber(schema: $ZodType, place: Conversion): JsonObject {
  const isBigInt = schema._zod.def.type === "bigint";
  if ((schema._zod.def as { readonly coerce?: boolean }).coerce) {
    place.clientOnly("z.coerce");
  }
  const { numberFormat, minimum, maximum, multiples } = readChecks(schema, place);
  if (numberFormat === "uint64") {
    return place.refuse(
      "z.uint64() has values that no server stores",
      "use z.int64().nonnegative()",
    );
  }
  const base = formats[numberFormat ?? (isBigInt ? "int64" : "")] ?? { type: "number" };
  const [first, ...more] = multiples.map(plainNumber);
  return {
    ...base,
    ...boundKeywords("minimum", minimum, base),
    ...boundKeywords("maximum", maximum, base),
    ...(first === undefined ? {} : { multipleOf: first }),
    ...(more.length === 0 ? {} : { allOf: more.map((multipleOf) => ({ multipleOf })) }),
  };
}

function boundKeywords(
  key: "maximum" | "minimum",
  bound: Bound | undefined,
  base: JsonObject,
): JsonObject {
  if (bound === undefined) {
    return {};
  }
  const given = base[key] as number | undefined;
  const isWider =
    given !== undefined && (key === "minimum" ? bound.value < given : bound.value > given);
  if (isWider) {
    return {};
  }
  const exclusive = key === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  return {
    [key]: plainNumber(bound.value),
    ...(bound.inclusive ? {} : { [exclusive]: true }),
  };
}

/** Returns an integer as a number where that is exact. */
export function plainNumber(value: number | bigint): number | bigint {
  return typeof value === "bigint" && BigInt(Number(value)) === value && isSafe(value)
    ? Number(value)
    : value;
}

function isSafe(value: bigint): boolean {
  return Number.isSafeInteger(Number(value));
}
