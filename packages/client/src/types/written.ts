/** Binds the type in which objects are written to the type in which they are read; never present at run time. */
declare const written: unique symbol;

/** Part of an object type that names the type of new objects, in which fields with a default are optional. */
export interface WrittenAs<W> {
  readonly [written]?: W | undefined;
}

/** The types of objects that a create or update takes: the object type and, if it names one, its type of new objects. */
export type Written<T> =
  | T
  | (typeof written extends keyof T ? NonNullable<T[typeof written]> : never);
