import type { FieldSelectorInput } from "@typekube/core";

/** Binds the selectable fields of a kind to the type of its objects; never present at run time. */
declare const selectable: unique symbol;

/** Part of an object type that names the fields that field selectors can use, such as `spec.color`. */
export interface SelectableBy<Field extends string> {
  readonly [selectable]?: Field | undefined;
}

/**
 * The field selector of a kind: in the form of an object, its fields are those that the object type names, and the name
 * and namespace. A selector in the form of a string is not read by the compiler.
 */
export type FieldSelectorOf<T> =
  FieldsOf<T> extends infer Selector extends FieldSelectorInput ? Selector : never;

type FieldsOf<T> = typeof selectable extends keyof T
  ? string | { readonly [Field in NamedBy<T> | "metadata.name" | "metadata.namespace"]?: string }
  : FieldSelectorInput;

type NamedBy<T> = typeof selectable extends keyof T ? Extract<T[typeof selectable], string> : never;

/** Options of a call whose field selector is that of a kind. */
export type Selecting<T, Options> = typeof selectable extends keyof T
  ? WithSelector<T, Options>
  : Options;

type WithSelector<T, Options> = Options extends unknown
  ? Omit<Options, "fieldSelector"> & {
      readonly fieldSelector?: FieldSelectorOf<T> | undefined;
    }
  : never;
