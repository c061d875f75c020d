import type { Measurement } from "./measurement.js";
import type { RowResult, TaskResult } from "./run-tasks.js";
import { dearerWithSize, median, offLine, type Point } from "./statistics.js";
import { textTable } from "./text-table.js";

/** What one object costs, as the heads of the columns say it. */
const perObject = {
  "main us": { metric: "mainMs", factor: 1_000, digits: 1 },
  "kept KB": { metric: "keptMb", factor: 1_024, digits: 2 },
} as const satisfies Record<string, { metric: keyof Measurement; factor: number; digits: number }>;

/**
 * What one object costs in the same task over more and more of them: a program that scales has the same figure in every column, but for
 * what it costs to begin. So the last columns say how much more one costs than at a smaller size, and how far all sizes are from the
 * straight line that fits them best; what costs less the more there are is off a line, too. Empty where there is only one size.
 *
 * @param prefix - of the tasks' names: `informer-sync-`.
 */
export function growthTable(results: readonly TaskResult[], prefix: string): string {
  const sizes = results
    .filter(({ name, rows }) => name.startsWith(prefix) && rows.length > 0)
    .sort((a, b) => a.count - b.count);
  if (sizes.length < 2) {
    return "";
  }
  const programs = new Set(sizes.flatMap(({ rows }) => rows.map(({ program }) => program)));
  return Object.entries(perObject)
    .map(([head, { metric, factor, digits }]) =>
      textTable([
        [
          `${head} each`,
          ...sizes.map(({ count }) => count.toLocaleString("en")),
          "dearer by",
          "off a line",
        ],
        ...[...programs].map((program) => {
          const points = sizes.map(({ rows, count }) => ({
            x: count,
            y: medianOf(rows, program, metric),
          }));
          const measured = points.flatMap(({ x, y }) => (y === undefined ? [] : [{ x, y }]));
          return [
            program,
            ...points.map(({ x, y }) =>
              y === undefined ? "-" : ((y * factor) / x).toFixed(digits),
            ),
            shown(measured, 2, dearerWithSize),
            // Two points are always on a line.
            shown(measured, 3, offLine),
          ];
        }),
      ]),
    )
    .join("\n\n");
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
