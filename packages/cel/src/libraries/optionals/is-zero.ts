import { CelDouble } from "../../values/cel-double.js";
import { CelDuration } from "../../values/cel-duration.js";
import { CelList } from "../../values/cel-list.js";
import { CelMap } from "../../values/cel-map.js";
import { CelObject } from "../../values/cel-object.js";
import { CelTimestamp } from "../../values/cel-timestamp.js";
import { CelUint } from "../../values/cel-uint.js";
import type { CelValue } from "../../values/cel-value.js";

/** The first second of the year 1, Go's zero time. */
const zeroTime = -62_135_596_800_000_000_000n;

/** Returns true for null, false, 0, empty values and the zero time. */
export function isZero(value: CelValue): boolean {
  if (value instanceof CelUint || value instanceof CelDouble) {
    return value.value === 0;
  }
  if (value instanceof CelList || value instanceof CelMap || value instanceof CelObject) {
    return value.isZero;
  }
  if (value instanceof CelDuration) {
    return value.nanoseconds === 0n;
  }
  if (value instanceof CelTimestamp) {
    return value.nanoseconds === zeroTime;
  }
  if (value instanceof Uint8Array) {
    return value.length === 0;
  }
  return value === null || value === false || value === 0 || value === "";
}
