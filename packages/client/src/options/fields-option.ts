import type { FieldsOf, OptionCheck } from "@typekube/core/internal";

/**
 * Which fields of the objects a read keeps: paths of names with dots between them, checked by the compiler. Lists need no
 * index; a key of a map stands in quotes: `["spec.containers.image", 'metadata.annotations["example.com/owner"]']`. A
 * path that ends at an object keeps all of it.
 */
export interface FieldsOption<T, F extends readonly string[]> {
  /**
   * Fields to keep of each object. The rest is skipped while decoding: less time, and a fraction of the memory. What
   * identifies an object always comes: apiVersion, kind, and of its metadata name, namespace, uid, resourceVersion,
   * creationTimestamp and deletionTimestamp. Default: all fields.
   */
  readonly fields: F & FieldsOf<T, F>;
}

/** {@link FieldsOption} of a call whose types are already checked. */
export interface AnyFieldsOption {
  readonly fields?: readonly string[] | undefined;
}

/** Options of a call that reads whole objects. */
export interface Whole {
  readonly fields?: undefined;
}

/** Accepts arrays of texts; the paths are checked when they are read. */
export const fieldsCheck: OptionCheck = {
  mustBe: 'an array of paths, such as ["metadata.labels"]',
  isValid: (value) => Array.isArray(value) && value.every((path) => typeof path === "string"),
};
