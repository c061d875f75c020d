/** Freezes a value and everything in it. Values of the API are trees, so each is visited once. */
export function deepFreeze<V>(value: V): V {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) {
    return value;
  }
  for (const inner of Object.values(value)) {
    deepFreeze(inner);
  }
  return Object.freeze(value);
}
