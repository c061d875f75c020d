import type { FieldPathOf, OptionCheck } from "@typekube/core/internal";

/**
 * Which fields of the objects a read keeps: paths of names with dots between them, checked by the compiler. Lists need no
 * index; a key of a map stands in quotes: `["spec.containers.image", 'metadata.annotations["example.com/owner"]']`. A
 * path that ends at an object keeps all of it. Paths that are known at run time only come from `computedFields`.
 */
export interface FieldsOption<T, P extends string> {
  /**
   * Fields to keep of each object. The rest is skipped while decoding: less time, and a fraction of the memory. What
   * identifies an object always comes: apiVersion, kind, and of its metadata name, namespace, uid, resourceVersion,
   * creationTimestamp and deletionTimestamp. Default: all fields.
   */
  readonly fields: readonly FieldPathOf<T, P>[];
}

/** {@link FieldsOption} of a call whose types are already checked. */
export interface AnyFieldsOption {
  readonly fields?: readonly string[] | undefined;
}

/** Options of a call that reads whole objects. Their `fields` is the message that the compiler prints for others. */
export interface Whole {
  readonly fields?:
    | "each path must be a literal that leads to a field, or come from computedFields()"
    | undefined;
}

/** Accepts arrays of texts; the paths are checked when they are read. */
export const fieldsCheck: OptionCheck = {
  mustBe: 'an array of paths, such as ["metadata.labels"]',
  isValid: (value) => Array.isArray(value) && value.every((path) => typeof path === "string"),
};
