/** Whether somebody's code returned something to wait for. Not every promise is a Promise: those of query builders begin only when they are awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}
