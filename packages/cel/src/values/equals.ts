import type { CelDouble } from "./cel-double.js";
import { CelDuration } from "./cel-duration.js";
import { CelFailure } from "./cel-failure.js";
import { CelList } from "./cel-list.js";
import { CelMap } from "./cel-map.js";
import { CelObject } from "./cel-object.js";
import { CelOpaque } from "./cel-opaque.js";
import { CelOptional } from "./cel-optional.js";
import { CelTimestamp } from "./cel-timestamp.js";
import { CelType } from "./cel-type.js";
import type { CelUint } from "./cel-uint.js";
import type { CelValue } from "./cel-value.js";
import { compareNumbers, isNumeric } from "./compare.js";

/** Returns true if two values are equal. Numbers of different types are equal by value, other types never are. */
export function isEqual(a: CelValue, b: CelValue): boolean {
  return equality(a, b) === true;
}

/**
 * Returns the value of `a == b`: as `isEqual`, but a failure if values cannot be compared, for example two opaque ones of different types.
 * Inside lists and maps such a pair counts as equal, as in cel-go.
 */
export function equality(a: CelValue, b: CelValue): boolean | CelFailure {
  // One object may differ from itself: NaN, a list of it, and values that cannot be compared.
  if (a === null || b === null || typeof a === "string" || typeof a === "boolean") {
    return a === b;
  }
  if (isNumeric(a)) {
    return isNumeric(b) && compareNumbers(a, b) === 0;
  }
  if (a instanceof CelList) {
    return b instanceof CelList && areListsEqual(a, b);
  }
  if (a instanceof CelMap) {
    return b instanceof CelMap && areMapsEqual(a, b);
  }
  if (a instanceof CelObject || a instanceof CelOpaque) {
    return a.equals(b);
  }
  return areScalarsEqual(a, b);
}

function areScalarsEqual(
  a: Uint8Array | CelTimestamp | CelDuration | CelOptional | CelType | CelDouble | CelUint,
  b: CelValue,
): boolean | CelFailure {
  if (a instanceof CelTimestamp) {
    return b instanceof CelTimestamp && a.nanoseconds === b.nanoseconds;
  }
  if (a instanceof CelDuration) {
    return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  }
  if (a instanceof CelType) {
    return b instanceof CelType && a.name === b.name;
  }
  if (a instanceof CelOptional) {
    return b instanceof CelOptional && areOptionalsEqual(a, b);
  }
  return a instanceof Uint8Array && b instanceof Uint8Array && areBytesEqual(a, b);
}

function areBytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function areOptionalsEqual(a: CelOptional, b: CelOptional): boolean | CelFailure {
  return a.value === undefined || b.value === undefined
    ? a.value === b.value
    : equality(a.value, b.value);
}

function areListsEqual(a: CelList, b: CelList): boolean | CelFailure {
  const own = a.equals(b);
  if (own !== undefined) {
    return own;
  }
  const { size } = a;
  if (size !== b.size) {
    return false;
  }
  for (let index = 0; index < size; index += 1) {
    if (equality(a.at(index), b.at(index)) === false) {
      return false;
    }
  }
  return true;
}

function areMapsEqual(a: CelMap, b: CelMap): boolean | CelFailure {
  const own = a.equals(b);
  if (own !== undefined) {
    return own;
  }
  if (a.size !== b.size) {
    return false;
  }
  for (const key of a.keys()) {
    const left = a.find(key);
    const right = b.find(key);
    if (
      left === undefined ||
      right === undefined ||
      left instanceof CelFailure ||
      right instanceof CelFailure ||
      equality(left, right) === false
    ) {
      return false;
    }
  }
  return true;
}
