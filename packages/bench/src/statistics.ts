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

/** The ratios of each round: what the machine did to a whole round is in both and falls out. */
export function pairedRatios(values: Rounds, baseline: Rounds): number[] {
  return pairs(values, baseline).flatMap(([value, base]) => (base === 0 ? [] : [value / base]));
}

/** How much more the values of each round are. */
export function pairedDifferences(values: Rounds, baseline: Rounds): number[] {
  return pairs(values, baseline).map(([value, base]) => value - base);
}

/** One value per round; a round that failed has none. */
export type Rounds = readonly (number | undefined)[];

/** What the rounds have that both have. */
function pairs(values: Rounds, baseline: Rounds): [value: number, base: number][] {
  return values.flatMap((value, round): [number, number][] => {
    const base = baseline[round];
    return value === undefined || base === undefined ? [] : [[value, base]];
  });
}

/** The median of {@link pairedRatios}. */
export function pairedRatio(values: Rounds, baseline: Rounds): number {
  return median(pairedRatios(values, baseline));
}

/** How sure {@link medianInterval} is, where there are values enough. */
const confidence = 0.9;

/**
 * Between which of the values the median of all possible ones is, with a confidence of nine in ten, whatever their distribution: each
 * of them is below it with one chance in two. Fewer than five values cannot be that sure and answer their whole range.
 */
export function medianInterval(values: readonly number[]): readonly [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  // Left out at either end, as long as the chance that the median is out there stays small.
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

/** With which probability the median is in the {@link medianInterval} of so many values: 0 for one, 0.75 for three, 0.9 at least from five on. */
export function medianConfidence(count: number): number {
  return count < 5 ? 1 - 2 / 2 ** count : confidence;
}

/** One of several measurements over something. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * How far the farthest of some points is from the straight line that is nearest to all of them, relative to the point, so that the
 * smallest says as much as the largest. No line is nearer to three of them than half-way between the middle one and the chord of the
 * others, and for all points at once a line is as near as for the worst three (Chebyshev's alternation).
 *
 * @param points - from the least `x` on. Fewer than three are on a line.
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
 * How much more one object costs at some size than at a smaller one, relative to that: 0 where more of them are never dearer.
 *
 * @param points - what so many objects cost together, from the fewest on.
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
