import type { $ZodCheck, $ZodChecks, $ZodStringFormatChecks, $ZodType } from "zod/v4/core";
import type { Conversion } from "./conversion.js";

/** A bound of a number. */
export interface Bound {
  readonly value: number | bigint;
  readonly inclusive: boolean;
}

/** A check of the form of a string. */
export type StringFormat = $ZodStringFormatChecks["_zod"]["def"];

/** The checks of a zod schema, those of the same kind combined. */
export interface Checks {
  minimum?: Bound;
  maximum?: Bound;
  /** Smallest number of characters or items. */
  minSize?: number;
  /** Largest number of characters or items. */
  maxSize?: number;
  /** Format of a number, such as `int32`. */
  numberFormat?: string;
  readonly multiples: (number | bigint)[];
  readonly formats: StringFormat[];
}

/** Reads the checks of a schema. Reports those that no server makes. */
export function readChecks(schema: $ZodType, place: Conversion): Checks {
  const found: Checks = { multiples: [], formats: [] };
  for (const check of checksOf(schema)) {
    readCheck(check as $ZodChecks, found, place);
  }
  return found;
}

/** Returns the checks of a schema; a schema of a format is its own first check. */
function checksOf(schema: $ZodType): readonly $ZodCheck[] {
  const { checks = [] } = schema._zod.def;
  return schema._zod.traits.has("$ZodCheck")
    ? [schema as unknown as $ZodCheck, ...(checks as $ZodCheck[])]
    : (checks as $ZodCheck[]);
}

function readCheck(check: $ZodChecks, found: Checks, place: Conversion): void {
  const { def } = check._zod;
  switch (def.check) {
    case "greater_than":
      found.minimum = tighter(found.minimum, boundOf(def), 1);
      break;
    case "less_than":
      found.maximum = tighter(found.maximum, boundOf(def), -1);
      break;
    case "multiple_of":
      found.multiples.push(def.value);
      break;
    case "number_format":
    case "bigint_format":
      found.numberFormat = def.format;
      break;
    case "min_length":
      found.minSize = Math.max(found.minSize ?? 0, def.minimum);
      break;
    case "max_length":
      found.maxSize = Math.min(found.maxSize ?? def.maximum, def.maximum);
      break;
    case "length_equals":
      found.minSize = def.length;
      found.maxSize = def.length;
      break;
    case "string_format":
      found.formats.push(def as StringFormat);
      break;
    case "overwrite":
      place.clientOnly("trim() or another change of the value");
      break;
    default:
      place.clientOnly("refine() or another check in code; a rule in CEL runs on servers");
  }
}

function boundOf({ value, inclusive }: { readonly value: unknown; readonly inclusive: boolean }) {
  return { value: value as number | bigint, inclusive };
}

/** Returns the tighter bound; `sign` is 1 for minimums, -1 for maximums. */
function tighter(one: Bound | undefined, other: Bound, sign: -1 | 1): Bound {
  if (one === undefined || one.value === other.value) {
    return one === undefined || !other.inclusive ? other : one;
  }
  const isTighter = sign === 1 ? other.value > one.value : other.value < one.value;
  return isTighter ? other : one;
}
