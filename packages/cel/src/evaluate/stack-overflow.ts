/** Message of an evaluation whose values have more levels than the stack of JavaScript has room for. */
export const nestedTooDeeply = "a value is nested too deeply";

/**
 * Returns true for the error of a stack that is full. Values are compared and converted level by level, and a program can
 * hand in any depth; a limit of our own would cost time in each comparison.
 */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
