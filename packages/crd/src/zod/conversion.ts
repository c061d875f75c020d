import type { JsonObject } from "@typekube/core/internal/json";
import type { $ZodType } from "zod/v4/core";

/** A part of a zod schema that a CustomResourceDefinition cannot express. */
export interface SchemaProblem {
  /** Path of the value, such as `spec.rules[].port`. */
  readonly path: string;
  /** The fault, with the name of the zod type. */
  readonly problem: string;
  /** The way out. */
  readonly hint: string;
}

/** A check or change of values that zod makes and a server does not. */
export interface ClientOnly {
  /** Path of the value, such as `spec.rules[].port`. */
  readonly path: string;
  /** Name of the zod method, such as `refine()`, and what to use instead where servers have something. */
  readonly what: string;
}

/** How much of the descriptions goes into the definition: all (`full`), the first sentence (`short`) or nothing. */
export type Descriptions = "full" | "none" | "short";

/** The place of a zod schema that is being converted. */
export interface Conversion {
  /** Path of the value, such as `spec.rules[].port`. */
  readonly path: string;
  /** Converts the schema of this place. */
  convert(schema: $ZodType): JsonObject;
  /** Returns the place of a part: `.port`, `[]` for items, `[*]` for the values of a record. */
  at(step: string): Conversion;
  /** Reports what cannot be expressed. Returns a stand-in, so that the conversion finds the other problems, too. */
  refuse(problem: string, hint: string): JsonObject;
  /** Reports what only zod checks or changes. */
  clientOnly(what: string): void;
}
