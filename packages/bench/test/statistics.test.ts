import { describe, expect, it } from "vitest";
import { seededRandom } from "../src/seeded-random.js";
import {
  dearerWithSize,
  median,
  medianConfidence,
  medianInterval,
  offLine,
  pairedDifferences,
  pairedRatio,
  pairedRatios,
  spread,
} from "../src/statistics.js";

describe("median", () => {
  it("is the middle value, or the mean of the two in the middle, in any order", () => {
    expect(median([10, 9, 100])).toBe(10);
    expect(median([4, 1, 30, 2])).toBe(3);
    expect(median([7])).toBe(7);
    expect(median([])).toBeNaN();
  });

  it("does not change its input", () => {
    const values = [3, 1, 2];
    median(values);
    medianInterval(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it("has a spread of half the range, relative to the median", () => {
    expect(spread([90, 100, 130])).toBe(0.2);
    expect(spread([5])).toBe(0);
  });
});

describe("pairs", () => {
  it("are taken within a round, when both have a value", () => {
    expect(pairedRatios([1, 20, 3], [2, 10, 6])).toEqual([0.5, 2, 0.5]);
    expect(pairedRatios([1, undefined, 3, 4], [2, 40, undefined])).toEqual([0.5]);
    expect(pairedRatio([1, 20, 3], [2, 10, 6])).toBe(0.5);
    expect(pairedDifferences([5, undefined, 1], [2, 1, 4])).toEqual([3, -3]);
  });

  it("give no ratio where the divisor is zero; without pairs the ratio is NaN", () => {
    expect(pairedRatios([1, 1], [0, 2])).toEqual([0.5]);
    expect(pairedRatio([], [])).toBeNaN();
  });
});

describe("median interval", () => {
  const to = (count: number) => Array.from({ length: count }, (_, index) => index);

  it("drops as many values at each end as the confidence allows", () => {
    expect(medianInterval([5])).toEqual([5, 5]);
    expect(medianInterval(to(3))).toEqual([0, 2]);
    expect(medianInterval(to(5).reverse())).toEqual([0, 4]);
    expect(medianInterval(to(9))).toEqual([1, 7]);
    expect(medianInterval(to(15))).toEqual([3, 11]);
  });

  it.each([1, 2, 3, 4, 5, 9, 15])(
    "of %i values contains the median as often as stated",
    (count) => {
      const random = seededRandom(count);
      const runs = 4_000;
      let held = 0;
      for (let run = 0; run < runs; run++) {
        // A long-tailed distribution, like times; its median is 0.25.
        const [low, high] = medianInterval(to(count).map(() => random() ** 2));
        held += low <= 0.25 && 0.25 <= high ? 1 : 0;
      }
      const share = held / runs;
      expect(share).toBeGreaterThan(medianConfidence(count) - 0.025);
      // For up to four values the confidence is exact.
      expect(share).toBeLessThan(count < 5 ? medianConfidence(count) + 0.025 : 1);
    },
  );
});

it("offLine is 0 for linear growth with any fixed cost", () => {
  const points = (of: (x: number) => number) => [1, 10, 50, 200].map((x) => ({ x, y: of(x) }));
  expect(offLine(points((x) => 50 + 3 * x))).toBeCloseTo(0, 9);
  expect(offLine(points((x) => x * x))).toBeGreaterThan(0.5);
  // One point is a tenth too large: the best line is equally far from it and its neighbours.
  expect(offLine(points((x) => 3 * x * (x === 50 ? 1.1 : 1)))).toBeCloseTo(0.1 / 2.1, 9);
  expect(offLine(points((x) => 3 * x).slice(0, 2))).toBe(0);
});

it("offLine is the distance of the best line: no line is nearer, and one is as near", () => {
  const random = seededRandom(7);
  const points = [1, 10, 50, 200].map((x) => ({ x, y: 20 * random() + x * (1 + random()) }));
  const received = offLine(points);
  const farthest = (start: number, slope: number) =>
    Math.max(...points.map(({ x, y }) => Math.abs(start + slope * x - y) / y));
  let nearest = Number.POSITIVE_INFINITY;
  for (let start = 0; start <= 40; start += 0.05) {
    for (let slope = 0.5; slope <= 2.5; slope += 0.002) {
      nearest = Math.min(nearest, farthest(start, slope));
    }
  }
  expect(received).toBeGreaterThan(0.02);
  expect(nearest).toBeGreaterThanOrEqual(received);
  expect(nearest).toBeLessThan(received + 0.005);
});

it("dearerWithSize distinguishes rising from falling costs per object", () => {
  const points = (...each: number[]) =>
    each.map((cost, place) => ({ x: 10 ** place, y: cost * 10 ** place }));
  expect(dearerWithSize(points(40, 20, 18, 16))).toBe(0);
  expect(dearerWithSize(points(40, 20, 18, 27))).toBeCloseTo(0.5, 9);
  // Relative to the cheapest smaller size, at the size with the largest increase.
  expect(dearerWithSize(points(20, 30, 10, 12))).toBeCloseTo(0.5, 9);
});
