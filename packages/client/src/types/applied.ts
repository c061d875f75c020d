import type { DeepPartial } from "./deep-partial.js";

/** Binds the type in which objects are applied to the type in which they are read; never present at run time. */
declare const applied: unique symbol;

/** Part of an object type that names the type of what is applied, in which keys of list items are required. */
export interface AppliedAs<A> {
  readonly [applied]?: A | undefined;
}

/** The type of an object that is applied: any part of it, or the type that the object type names for it. */
export type Applied<T> = typeof applied extends keyof T
  ? NonNullable<T[typeof applied]>
  : DeepPartial<T>;
