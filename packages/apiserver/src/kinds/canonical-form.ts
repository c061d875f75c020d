import type { SchemaField } from "../schema/schema-node.js";
import { canonicalBytes } from "./canonical-bytes.js";
import { canonicalQuantity, canonicalResource } from "./canonical-quantity.js";
import { canonicalMicroTime, canonicalTime } from "./canonical-time.js";

/** Maps a value to the form in which servers store it; values that are in it, or are no such values, stay as they are. */
export type CanonicalForm = (value: unknown) => unknown;

/**
 * Finds how the values of a field are stored, or the items of a list or a map of them.
 *
 * @param packageName - the package of the type that has the field. Its resource lists are rounded in `core/v1` alone:
 *   others (the overhead of a RuntimeClass, the capacity of devices) are maps of quantities like any.
 * @returns `undefined` for a field whose values are stored as they come.
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
