/** Returns true for promises and other thenables: query builders return thenables that start only when they are awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}
