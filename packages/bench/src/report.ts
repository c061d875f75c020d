import type { Measurement } from "./measurement.js";
import type { RowResult, TaskResult } from "./run-tasks.js";
import { median, pairedRatio, spread } from "./statistics.js";
import type { Baseline } from "./task.js";
import { textTable } from "./text-table.js";

/** Figures of a measurement that the tables show, by column head. */
const metrics = {
  main: "mainMs",
  cpu: "cpuMs",
  wall: "wallMs",
  rss: "maxRssMb",
  kept: "keptMb",
  block: "blockMs",
  drain: "drainMs",
  p50: "latencyP50Ms",
  p99: "latencyP99Ms",
  growth: "growthMb",
} as const satisfies Record<string, keyof Measurement>;

type Metric = keyof typeof metrics;

/** Baseline figures below these are noise, so they get no ratio. */
const least: Readonly<Record<Metric, number>> = {
  main: 1,
  cpu: 1,
  wall: 1,
  rss: 1,
  kept: 2,
  block: 5,
  drain: 1,
  p50: 0,
  p99: 0,
  growth: 1,
};

const baselines = [
  "floor",
  "client-node",
  "client-go",
  "cel-go",
  "controller-runtime",
  "controller-runtime, priority queue",
  "informer",
  "unsharded",
  "kubectl",
  "no rules",
  "whole objects",
  "whole objects, JSON",
  "defaults",
] as const satisfies Baseline[];

/** Figures that are compared with each baseline; programs in Go have no event loop and no main thread. */
const compared: Readonly<Record<(typeof baselines)[number], readonly Metric[]>> = {
  floor: ["main", "wall", "rss", "kept", "block"],
  "client-node": ["main", "wall", "rss", "kept", "block"],
  "client-go": ["cpu", "wall", "rss", "kept", "p50", "growth"],
  "cel-go": ["cpu", "wall"],
  "controller-runtime": ["cpu", "wall", "rss", "kept", "drain", "p50", "p99"],
  "controller-runtime, priority queue": ["cpu", "wall", "kept"],
  informer: ["cpu", "wall", "rss", "kept"],
  unsharded: ["cpu", "wall", "rss", "kept"],
  kubectl: ["cpu", "wall", "rss"],
  "no rules": ["main", "cpu", "wall"],
  "whole objects": ["main", "cpu", "wall", "rss", "kept"],
  "whole objects, JSON": ["main", "cpu", "wall", "rss", "kept"],
  defaults: ["main", "cpu", "wall", "rss"],
};

/** Figures that most tasks do not have; only tasks that do show them. */
const rare: readonly Metric[] = ["growth", "p50"];

/** Shows the ratios of every task to the baselines that it has. */
export function ratioTable(results: readonly TaskResult[]): string {
  return results.map(ratiosOf).join("\n\n");
}

function ratiosOf(task: TaskResult): string {
  const own = baselines.filter((name) => task.rows.some(({ baseline }) => baseline === name));
  const isShown = (metric: Metric) =>
    !rare.includes(metric) || task.rows.some((row) => valuesOf(row, metric).length > 0);
  const shown = (baseline: (typeof own)[number]) => compared[baseline].filter(isShown);
  const heads = own.flatMap((name) =>
    shown(name).map((metric, i) => (i === 0 ? `| to ${name}: ${metric}` : metric)),
  );
  return textTable([
    [task.name, ...heads],
    ...task.rows.map((row) => [
      row.program,
      ...own.flatMap((baseline) =>
        shown(baseline).map((metric) => ratioOf(task, row, baseline, metric)),
      ),
    ]),
  ]);
}

function ratioOf(task: TaskResult, row: RowResult, baseline: Baseline, metric: Metric): string {
  const base = task.rows.find((candidate) => candidate.baseline === baseline);
  if (base === undefined || base === row || median(valuesOf(base, metric)) < least[metric]) {
    return "-";
  }
  const all = ({ rounds }: RowResult) => rounds.map((round) => round?.[metrics[metric]]);
  const ratio = pairedRatio(all(row), all(base));
  return Number.isNaN(ratio) ? "-" : ratio.toFixed(2);
}

/** Shows the medians of every task, each with half its range. */
export function absoluteTable(results: readonly TaskResult[]): string {
  const tables = results.map((task) =>
    textTable([
      [
        task.name,
        "main ms",
        "+-",
        "cpu ms",
        "wall ms",
        "+-",
        "main us each",
        "max RSS MB",
        "kept MB",
        "block ms",
        "rounds",
        ...shownMore(task).map((metric) => `${metric} ${metric === "growth" ? "MB" : "ms"}`),
      ],
      ...task.rows.map((row) => [
        row.program,
        ...absolutesOf(task, row),
        ...shownMore(task).map((metric) => moreOf(row, metric)),
      ]),
    ]),
  );
  return tables.join("\n\n");
}

function absolutesOf(task: TaskResult, row: RowResult): string[] {
  const main = valuesOf(row, "main");
  const wall = valuesOf(row, "wall");
  if (main.length === 0) {
    return ["no result"];
  }
  return [
    median(main).toFixed(0),
    percent(spread(main)),
    median(valuesOf(row, "cpu")).toFixed(0),
    median(wall).toFixed(0),
    percent(spread(wall)),
    task.count > 1 ? ((median(main) / task.count) * 1000).toFixed(1) : "-",
    median(valuesOf(row, "rss")).toFixed(0),
    median(valuesOf(row, "kept")).toFixed(1),
    median(valuesOf(row, "block")).toFixed(0),
    String(main.length),
  ];
}

const more = ["drain", "p50", "p99", "growth"] as const satisfies Metric[];

/** Returns the figures of a task that others don't have. */
function shownMore({ rows }: TaskResult): readonly (typeof more)[number][] {
  return more.filter((metric) => rows.some((row) => valuesOf(row, metric).length > 0));
}

function moreOf(row: RowResult, metric: (typeof more)[number]): string {
  const values = valuesOf(row, metric);
  const shown = median(values);
  return values.length === 0 ? "-" : shown.toFixed(shown < 10 ? 2 : 0);
}

function valuesOf(row: RowResult, metric: Metric): number[] {
  return row.rounds.flatMap((round) => round?.[metrics[metric]] ?? []);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}
