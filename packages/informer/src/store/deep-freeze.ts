/**
 * Freezes a value deeply. API values are trees, but a transform may return cycles, or byte arrays, which can't be
 * frozen.
 */
export function deepFreeze<V>(value: V): V {
  if (
    typeof value !== "object" ||
    value === null ||
    Object.isFrozen(value) ||
    ArrayBuffer.isView(value)
  ) {
    return value;
  }
  Object.freeze(value);
  for (const inner of Object.values(value)) {
    deepFreeze(inner);
  }
  return value;
}
