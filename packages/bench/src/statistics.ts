/** The middle of some numbers; the mean of the two in the middle of an even count. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Half the distance between the smallest and the largest, relative to the median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values);
}

/**
 * The median of the ratios of each round: what the machine did to a whole round is in both and falls out.
 */
export function pairedRatio(
  values: readonly (number | undefined)[],
  baseline: readonly (number | undefined)[],
): number {
  const ratios = values.flatMap((value, round) => {
    const base = baseline[round];
    return value === undefined || base === undefined || base === 0 ? [] : [value / base];
  });
  return median(ratios);
}
