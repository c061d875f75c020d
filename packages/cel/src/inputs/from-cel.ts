import { CelDouble } from "../values/cel-double.js";
import { CelDuration } from "../values/cel-duration.js";
import { CelFailure } from "../values/cel-failure.js";
import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import { CelOptional } from "../values/cel-optional.js";
import { CelTimestamp } from "../values/cel-timestamp.js";
import { CelType } from "../values/cel-type.js";
import { CelUint } from "../values/cel-uint.js";
import type { CelValue } from "../values/cel-value.js";
import { formatDuration, formatTimestamp } from "../values/format-time.js";

/**
 * Converts a value of the language to JavaScript: numbers (bigint beyond the safe integers), strings, arrays, and objects
 * for maps with text keys, `Map`s for other maps. Times and durations become texts, which are exact. Objects and opaque
 * values stay as they are.
 */
export function fromCel(value: CelValue): unknown {
  if (value instanceof CelDouble || value instanceof CelUint) {
    return value.value;
  }
  if (value instanceof CelTimestamp) {
    return formatTimestamp(value);
  }
  if (value instanceof CelDuration) {
    return formatDuration(value);
  }
  if (value instanceof CelType) {
    return value.name;
  }
  if (value instanceof CelOptional) {
    return value.value === undefined ? undefined : fromCel(value.value);
  }
  if (value instanceof CelList) {
    return Array.from(value, fromCel);
  }
  return value instanceof CelMap ? fromMap(value) : value;
}

function fromMap(map: CelMap): unknown {
  const entries = Array.from(map.keys(), (key): [CelValue, unknown] => {
    const value = map.find(key);
    return [key, value === undefined || value instanceof CelFailure ? undefined : fromCel(value)];
  });
  return entries.every(([key]) => typeof key === "string")
    ? Object.fromEntries(entries)
    : new Map(entries.map(([key, value]) => [fromCel(key), value]));
}
