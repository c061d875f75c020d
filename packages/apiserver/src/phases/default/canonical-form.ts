import { canonicalQuantity, canonicalResource } from "../../objects/canonical-quantity.js";
import type { SchemaField } from "../../schema/schema-node.js";
import { canonicalBytes } from "./canonical-bytes.js";
import { canonicalMicroTime, canonicalTime } from "./canonical-time.js";

/** Maps a value to its stored form. Values already in that form, and invalid values, are returned unchanged. */
export type CanonicalForm = (value: unknown) => unknown;

/**
 * Returns the function that maps the values of a field, or its list items or map values, to their stored form.
 *
 * @param packageName - the package of the type with the field. Its resource lists are rounded in `core/v1` only:
 *   others (the overhead of a RuntimeClass, the capacity of devices) are plain maps of quantities.
 * @returns `undefined` for a field whose values are stored unchanged.
 */
export function canonicalForm(
  { node, schema }: SchemaField,
  packageName: string | undefined,
): CanonicalForm | undefined {
  switch (schema.format) {
    case "byte":
      return canonicalBytes;
    case "date-time":
      return canonicalTime;
    case "micro-time":
      return canonicalMicroTime;
    case "quantity":
      return node.form === "map" && packageName === "core/v1"
        ? canonicalResource
        : canonicalQuantity;
    default:
      return undefined;
  }
}
