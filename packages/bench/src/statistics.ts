/** Returns the median; for an even count, the mean of the two middle values. NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns half the distance between the smallest and the largest value, relative to the median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values);
}

/** Returns the ratio of each round. A disturbance that affects a whole round cancels out. */
export function pairedRatios(values: Rounds, baseline: Rounds): number[] {
  return pairs(values, baseline).flatMap(([value, base]) => (base === 0 ? [] : [value / base]));
}

/** Returns the difference of each round. */
export function pairedDifferences(values: Rounds, baseline: Rounds): number[] {
  return pairs(values, baseline).map(([value, base]) => value - base);
}

/** One value per round; `undefined` for a failed round. */
export type Rounds = readonly (number | undefined)[];

/** Returns the value pairs of the rounds that both have. */
function pairs(values: Rounds, baseline: Rounds): [value: number, base: number][] {
  return values.flatMap((value, round): [number, number][] => {
    const base = baseline[round];
    return value === undefined || base === undefined ? [] : [[value, base]];
  });
}

/** Returns the median of {@link pairedRatios}. */
export function pairedRatio(values: Rounds, baseline: Rounds): number {
  return median(pairedRatios(values, baseline));
}

/** Confidence of {@link medianInterval}, given enough values. */
const confidence = 0.9;

/**
 * Returns the interval of values that contains the true median with a confidence of 0.9, whatever the distribution:
 * each value is below the median with probability 1/2. With fewer than five values that confidence is out of reach, and
 * the whole range is returned.
 */
export function medianInterval(values: readonly number[]): readonly [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  // Number of values dropped at each end, while the probability that the median lies outside stays small.
  let dropped = 0;
  let choose = 1;
  let outside = 1 / 2 ** count;
  for (;;) {
    choose = (choose * (count - dropped)) / (dropped + 1);
    outside += choose / 2 ** count;
    if (2 * outside > 1 - confidence) {
      break;
    }
    dropped++;
  }
  return [sorted[dropped] ?? Number.NaN, sorted[count - 1 - dropped] ?? Number.NaN];
}

/**
 * Returns the probability that {@link medianInterval} of `count` values contains the median: 0 for one, 0.75 for three,
 * at least 0.9 from five on.
 */
export function medianConfidence(count: number): number {
  return count < 5 ? 1 - 2 / 2 ** count : confidence;
}

/** A measurement `y` at a size `x`. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the distance of the farthest point from the best straight line through all points, relative to the point, so
 * that small points count as much as large ones. For three points, the best line passes half-way between the middle
 * point and the chord of the others; for all points, the best line is as near as for the worst three (Chebyshev's
 * alternation).
 *
 * @param points - in ascending order of `x`. Fewer than three are on a line.
 */
export function offLine(points: readonly Point[]): number {
  let farthest = 0;
  for (const [place, middle] of points.entries()) {
    for (const left of points.slice(0, place)) {
      for (const right of points.slice(place + 1)) {
        const slope = (right.y - left.y) / (right.x - left.x);
        const chord = left.y + slope * (middle.x - left.x);
        farthest = Math.max(farthest, Math.abs(chord - middle.y) / (chord + middle.y));
      }
    }
  }
  return farthest;
}

/**
 * Returns the largest relative increase in the cost of one object compared to a smaller size; 0 when the cost never
 * rises.
 *
 * @param points - total cost by number of objects, in ascending order.
 */
export function dearerWithSize(points: readonly Point[]): number {
  let cheapest = Number.POSITIVE_INFINITY;
  let dearer = 0;
  for (const { x, y } of points) {
    dearer = Math.max(dearer, y / x / cheapest - 1);
    cheapest = Math.min(cheapest, y / x);
  }
  return dearer;
}
