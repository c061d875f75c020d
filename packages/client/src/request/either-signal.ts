/** Returns a signal that aborts with either of two signals. */
export function eitherSignal(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one === undefined || other === undefined || one === other
    ? (one ?? other)
    : AbortSignal.any([one, other]);
}
