import type { $ZodType, input, output, util } from "zod/v4/core";

type Primitive = bigint | boolean | number | string | symbol | null | undefined;

/** Integers of 64 bits are numbers, and `bigint` beyond 2^53. Types that contain any JSON stay: they contain themselves. */
export type Numbers<T> = [util.JSONType] extends [T] ? T : NumbersIn<T>;

type NumbersIn<T> = T extends bigint
  ? bigint | number
  : T extends Primitive
    ? T
    : { [K in keyof T]: Numbers<T[K]> };

/**
 * The form in which a server stores a value: what zod returns, with the fields that have a default, except where zod
 * transforms the value: there, what zod takes.
 */
type Stored<In, Out> = [Out] extends [In]
  ? Numbers<Out>
  : Out extends Primitive
    ? Numbers<In>
    : In extends Primitive
      ? Numbers<In>
      : { [K in keyof Out]: K extends keyof In ? Stored<In[K], Out[K]> : Out[K] };

/** The type of a zod schema's values in an object that a server returns; fields with a default are present. */
export type StoredOf<Schema> = Schema extends $ZodType
  ? Stored<input<Schema>, output<Schema>>
  : never;

/** The type of a zod schema's values in an object that is created; fields with a default are optional. */
export type WrittenOf<Schema> = Schema extends $ZodType ? Numbers<input<Schema>> : never;
