/**
 * Freezes a value and everything in it. Values of the API are trees; what a transform made of them may have circles, and bytes, which
 * cannot be frozen.
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
