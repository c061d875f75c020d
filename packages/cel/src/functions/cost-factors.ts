import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import { CelObject } from "../values/cel-object.js";
import { CelOpaque } from "../values/cel-opaque.js";
import { CelOptional } from "../values/cel-optional.js";
import type { CelResult } from "../values/cel-value.js";
import { codePointCount } from "../values/code-points.js";

/** Units per character that is read. */
export const stringTraversalFactor = 0.1;
/** Units per character of a regular expression; an expression is guessed to have four characters. */
export const regexLengthFactor = 0.25;

/** Returns the size by which calls are counted: characters, bytes, elements, entries; 1 for any other value. */
export function costSize(value: CelResult | undefined): number {
  if (typeof value === "string") {
    return codePointCount(value);
  }
  if (value instanceof Uint8Array) {
    return value.length;
  }
  if (value instanceof CelList || value instanceof CelMap || value instanceof CelObject) {
    return value.size;
  }
  if (value instanceof CelOpaque) {
    return value.costSize;
  }
  if (value instanceof CelOptional && value.value !== undefined) {
    return costSize(value.value);
  }
  return 1;
}

/** Returns the units of reading a value `times` times, rounded up. */
export function traversal(value: CelResult | undefined, times = 1): number {
  return Math.ceil(costSize(value) * times * stringTraversalFactor);
}

/** Returns the units of matching a text with a pattern. */
export function matchCost(text: CelResult | undefined, pattern: CelResult | undefined): number {
  return (
    Math.ceil((1 + costSize(text)) * stringTraversalFactor) *
    Math.ceil(costSize(pattern) * regexLengthFactor)
  );
}
