import { goQuote } from "../text/go-quote.js";
import { CelFailure } from "../values/cel-failure.js";
import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import { CelObject } from "../values/cel-object.js";
import type { CelResult } from "../values/cel-value.js";
import { describeValue } from "../values/describe-value.js";

/** Longest text of one value, in code points. */
export const maxShownValue = 80;
/** Most elements or entries of a list or a map that are shown. */
export const maxShownElements = 5;
/** Depth of lists and maps that are shown. */
const maxShownDepth = 2;

/** Returns a value as explanations show it: scalars as they are written, lists and maps by their first elements. */
export function showValue(value: CelResult): string {
  return cut(shown(value, maxShownDepth), maxShownValue);
}

/** Cuts a text that is longer than a number of code points. */
export function cut(text: string, length: number): string {
  // A code point has one or two units, so that most texts need not be split.
  if (text.length <= length) {
    return text;
  }
  const points = Array.from(text.slice(0, 2 * length + 2));
  return points.length <= length ? text : `${points.slice(0, length).join("")}...`;
}

function shown(value: CelResult, depth: number): string {
  if (value instanceof CelFailure) {
    return `error: ${value.message}`;
  }
  if (typeof value === "string") {
    return goQuote(cut(value, maxShownValue));
  }
  if (value instanceof Uint8Array) {
    return `${value.length} bytes`;
  }
  if (value instanceof CelList) {
    return depth === 0 ? "[...]" : `[${listed(value, depth).join(", ")}]`;
  }
  if (value instanceof CelMap || value instanceof CelObject) {
    return depth === 0 ? "{...}" : `{${entriesOf(value, depth).join(", ")}}`;
  }
  return describeValue(value);
}

function listed(list: CelList, depth: number): readonly string[] {
  const count = Math.min(list.size, maxShownElements);
  const elements = Array.from({ length: count }, (_, index) => shown(list.at(index), depth - 1));
  return count < list.size ? [...elements, `${list.size - count} more`] : elements;
}

function entriesOf(map: CelMap | CelObject, depth: number): readonly string[] {
  const entries: string[] = [];
  let others = 0;
  for (const key of map instanceof CelMap ? map.keys() : map.fieldNames()) {
    if (entries.length === maxShownElements) {
      others += 1;
      continue;
    }
    const value = map instanceof CelMap ? map.find(key) : map.field(String(key));
    if (value !== undefined) {
      entries.push(`${shown(key, 0)}: ${shown(value, depth - 1)}`);
    }
  }
  return others === 0 ? entries : [...entries, `${others} more`];
}
