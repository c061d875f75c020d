import { describe, expect, it } from "vitest";
import { chart } from "../src/chart.js";
import type { Measurement } from "../src/measurement.js";
import { absoluteTable, ratioTable } from "../src/report.js";
import type { RowResult, TaskResult } from "../src/run-tasks.js";
import type { Baseline } from "../src/task.js";

const measurement = (mainMs: number, more: Partial<Measurement> = {}): Measurement => ({
  mainMs,
  cpuMs: 2 * mainMs,
  wallMs: 3 * mainMs,
  maxRssMb: 100,
  keptMb: 10,
  blockMs: 20,
  clock: "main thread",
  count: 1_000,
  ...more,
});

function row(
  program: string,
  baseline: Baseline | undefined,
  rounds: RowResult["rounds"],
): RowResult {
  return { program, baseline, cell: "", variant: "", rounds };
}

const task = (rows: RowResult[], name = "list-10k"): TaskResult => ({
  name,
  pods: 1_000,
  count: 1_000,
  rows,
});
/** Returns the columns of a program's line. */
const columns = (table: string, program: string) =>
  table
    .split("\n")
    .find((line) => line.startsWith(program))
    ?.slice(program.length)
    .trim()
    .split(/\s+/);

describe("table of ratios", () => {
  const floor = row("floor", "floor", [measurement(10), measurement(100)]);

  it("has the medians of each round's ratios: main, wall, rss, kept, block", () => {
    const ours = row("TypeKube", undefined, [
      measurement(5, { maxRssMb: 50, keptMb: 1, blockMs: 2 }),
      measurement(100, { maxRssMb: 50, keptMb: 1, blockMs: 2 }),
    ]);
    const [toFloor] = [columns(ratioTable([task([ours, floor])]), "TypeKube")?.slice(0, 5)];
    // 0.5 in one round and 1 in the other, not 105 of 110.
    expect(toFloor).toEqual(["0.75", "0.75", "0.50", "0.10", "0.10"]);
  });

  it("has no ratio of the baseline to itself, of missing rounds, or to negligible figures", () => {
    const quiet = row("floor", "floor", [measurement(0.5, { keptMb: 1, blockMs: 4 })]);
    const ours = row("TypeKube", undefined, [measurement(5)]);
    const table = ratioTable([task([ours, quiet])]);
    expect(columns(table, "floor")?.every((column) => column === "-")).toBe(true);
    // 1.5 ms of wall time and 100 MB are not negligible.
    expect(columns(table, "TypeKube")?.slice(0, 5)).toEqual(["-", "10.00", "1.00", "-", "-"]);
    const lost = ratioTable([task([row("TypeKube", undefined, [undefined, undefined]), floor])]);
    expect(columns(lost, "TypeKube")?.every((column) => column === "-")).toBe(true);
  });
});

it("a task has ratios to its own baselines only", () => {
  const peer = row("controller-runtime", "controller-runtime", [
    measurement(10, { drainMs: 100, latencyP50Ms: 1, latencyP99Ms: 8 }),
  ]);
  const ours = row("TypeKube", undefined, [
    measurement(5, { drainMs: 50, latencyP50Ms: 2, latencyP99Ms: 8 }),
  ]);
  const table = ratioTable([task([ours, peer])]);
  expect(table.match(/to [a-z-]+:/g)).toEqual(["to controller-runtime:"]);
  // cpu, wall, rss, kept, drain, p50, p99
  const ratios = ["0.50", "0.50", "1.00", "1.00", "0.50", "2.00", "1.00"];
  expect(columns(table, "TypeKube")).toEqual(ratios);
});

describe("table of absolute figures", () => {
  it("has the drain and the latencies of tasks that have them", () => {
    const ours = row("TypeKube", undefined, [
      measurement(10, { drainMs: 200, latencyP50Ms: 0.25 }),
    ]);
    const table = absoluteTable([task([ours, row("floor", "floor", [measurement(10)])])]);
    expect(table.split("\n")[0]).toMatch(/rounds {2}drain ms {2}p50 ms$/);
    expect(columns(table, "TypeKube")?.slice(-2)).toEqual(["200", "0.25"]);
    expect(columns(table, "floor")?.slice(-2)).toEqual(["-", "-"]);
  });

  it("has medians, half the range, and the cost of one object", () => {
    const ours = row("TypeKube", undefined, [measurement(9), measurement(10), measurement(13)]);
    expect(columns(absoluteTable([task([ours])]), "TypeKube")).toEqual([
      "10",
      "20%",
      "20",
      "30",
      "20%",
      "10.0",
      "100",
      "10.0",
      "20",
      "3",
    ]);
  });

  it("counts only rounds with a result, and marks rows without one", () => {
    const table = absoluteTable([
      task([
        row("half", undefined, [undefined, measurement(10)]),
        row("none", undefined, [undefined, undefined]),
      ]),
    ]);
    expect(columns(table, "half")?.at(-1)).toBe("1");
    expect(columns(table, "none")).toEqual(["no", "result"]);
  });
});

it("a chart has a bar for each measured program, in proportion to its figure", () => {
  const svg = chart([
    task([
      row("TypeKube protobuf, lean", undefined, [measurement(100)]),
      row("floor", "floor", [measurement(200)]),
      row("client-node", "client-node", [undefined]),
    ]),
    // A single bar compares nothing, so the group is left out.
    task([row("TypeKube protobuf", undefined, [measurement(1)])], "informer-events"),
  ]);
  const widths = [...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  );
  expect(widths).toHaveLength(2);
  expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(0.5, 2);
  expect(svg).toContain(">400 ms<");
  expect(svg.match(/class="title"/g)).toHaveLength(1);
  expect(svg).toContain("prefers-color-scheme: dark");
});
