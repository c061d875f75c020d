import type { Measurement } from "./measurement.js";
import type { RowResult, TaskResult } from "./run-tasks.js";
import { dearerWithSize, median, offLine, type Point } from "./statistics.js";
import { textTable } from "./text-table.js";

/** Costs of one object, by column head. */
const perObject = {
  "main us": { metric: "mainMs", factor: 1_000, digits: 1 },
  "kept KB": { metric: "keptMb", factor: 1_024, digits: 2 },
} as const satisfies Record<string, { metric: keyof Measurement; factor: number; digits: number }>;

/**
 * Shows the cost of one object in the same task at growing sizes. A program that scales has the same figure in every
 * column, apart from its fixed cost. So the last columns show how much more an object costs than at a smaller size, and
 * how far all sizes are from the best straight line; a program whose objects get cheaper with size is off a line too.
 * Empty when there is only one size.
 *
 * @param prefix - prefix of the tasks' names: `informer-sync-`.
 */
export function growthTable(results: readonly TaskResult[], prefix: string): string {
  const sizes = sizesOf(results, prefix);
  if (sizes.length < 2) {
    return "";
  }
  const programs = programsOf(sizes);
  return Object.entries(perObject)
    .map(([head, { metric, factor, digits }]) =>
      textTable([
        [
          `${head} each`,
          ...sizes.map(({ count }) => count.toLocaleString("en")),
          "increase",
          "off line",
        ],
        ...[...programs].map((program) => {
          const measured = pointsOf(sizes, program, metric);
          const each = new Map(measured.map(({ x, y }) => [x, ((y * factor) / x).toFixed(digits)]));
          return [
            program,
            ...sizes.map(({ count }) => each.get(count) ?? "-"),
            shown(measured, 2, dearerWithSize),
            shown(measured, leastOnLine, offLine),
          ];
        }),
      ]),
    )
    .join("\n\n");
}

/**
 * Returns the largest distance from a straight line, in CPU or memory, over the sizes of TypeKube's own programs;
 * undefined when none has three sizes.
 */
export function farthestOffLine(
  results: readonly TaskResult[],
  prefix: string,
): number | undefined {
  const sizes = sizesOf(results, prefix);
  const own = [...programsOf(sizes)].filter((program) => program.startsWith("TypeKube"));
  const shares = own
    .flatMap((program) =>
      Object.values(perObject).map(({ metric }) => pointsOf(sizes, program, metric)),
    )
    .filter((points) => points.length >= leastOnLine)
    .map(offLine);
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/** Two points are always on a line. */
const leastOnLine = 3;

/** Returns the measured tasks whose names have a prefix, smallest count first. */
function sizesOf(results: readonly TaskResult[], prefix: string): TaskResult[] {
  return results
    .filter(({ name, rows }) => name.startsWith(prefix) && rows.length > 0)
    .sort((a, b) => a.count - b.count);
}

function programsOf(sizes: readonly TaskResult[]): Set<string> {
  return new Set(sizes.flatMap(({ rows }) => rows.map(({ program }) => program)));
}

function pointsOf(
  sizes: readonly TaskResult[],
  program: string,
  metric: keyof Measurement,
): Point[] {
  return sizes.flatMap(({ rows, count }) => {
    const y = medianOf(rows, program, metric);
    return y === undefined ? [] : [{ x: count, y }];
  });
}

function medianOf(
  rows: readonly RowResult[],
  program: string,
  metric: keyof Measurement,
): number | undefined {
  const rounds = rows.find((row) => row.program === program)?.rounds ?? [];
  const figures = rounds.flatMap((round) => (round ? [Number(round[metric])] : []));
  return figures.length === 0 ? undefined : median(figures);
}

function shown(
  points: readonly Point[],
  fewest: number,
  share: (points: readonly Point[]) => number,
): string {
  return points.length < fewest ? "-" : `${(100 * share(points)).toFixed(0)} %`;
}
