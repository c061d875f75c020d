import { mapOf } from "../../objects/parts.js";

/** Returns the number of keys in the data of a ConfigMap or Secret. */
export function size(data: unknown): number {
  return Object.keys(mapOf(data)).length;
}
