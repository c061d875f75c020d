import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import { CelObject } from "../values/cel-object.js";
import type { CelResult } from "../values/cel-value.js";
import { utf8Length } from "../values/utf8-length.js";
import { stringTraversalFactor } from "./cost-factors.js";

/**
 * Returns the units of reading a value with all its elements, keys, fields and values. Each string counts by its bytes and
 * rounds down, unlike in `traversal`.
 */
export function deepTraversal(value: CelResult | undefined): number {
  if (typeof value === "string") {
    return Math.floor(utf8Length(value) * stringTraversalFactor);
  }
  if (value instanceof Uint8Array) {
    return Math.floor(value.length * stringTraversalFactor);
  }
  let units = 0;
  if (value instanceof CelList) {
    for (const element of value) {
      units += deepTraversal(element);
    }
    return units;
  }
  if (value instanceof CelMap) {
    for (const key of value.keys()) {
      units += deepTraversal(key) + deepTraversal(value.find(key));
    }
    return units;
  }
  if (value instanceof CelObject) {
    for (const name of value.fieldNames()) {
      units += deepTraversal(name) + deepTraversal(value.field(name));
    }
    return units;
  }
  return 1;
}
