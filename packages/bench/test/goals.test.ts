import { expect, it } from "vitest";
import { figureOf, type Goal, goals } from "../src/goals.js";
import { growthTable } from "../src/growth.js";
import type { Measurement } from "../src/measurement.js";
import { performancePage } from "../src/performance-page.js";
import { planTasks } from "../src/plan.js";
import type { TaskResult } from "../src/run-tasks.js";

const measurement = (mainMs: number): Measurement => ({
  mainMs,
  cpuMs: mainMs,
  wallMs: mainMs,
  maxRssMb: mainMs,
  keptMb: mainMs,
  blockMs: mainMs,
  clock: "main thread",
  count: 1,
});

/** Every row of a full run, with `of` the milliseconds of a program. */
function resultsWith(of: (program: string) => number): TaskResult[] {
  return planTasks(false).map((task) => ({
    ...task,
    rows: task.rows.map((row) => ({ ...row, rounds: [measurement(of(row.program)), undefined] })),
  }));
}

it("every goal is about a row that a full run has", () => {
  const results = resultsWith(() => 10);
  for (const goal of goals) {
    expect(figureOf(goal, results), goal.what).toBe(goal.baseline === undefined ? 10 : 1);
  }
});

it("a figure is met or not met, and absent where nothing was measured", () => {
  const [goal] = goals as readonly [Goal];
  const machine = { cpu: "c", cores: 2, memoryGb: 1, platform: "p", node: "24", versions: {} };
  const half = resultsWith((program) => (program.startsWith("TypeKube") ? 5 : 10));
  expect(figureOf(goal, half)).toBe(0.5);
  const pageOf = (results: TaskResult[]) => performancePage(machine, 2, results, undefined);
  expect(pageOf(half)).toContain("| floor | ≤ 1.05 | 0.50 | 1.00 | met |");
  const twice = resultsWith((program) => (program.startsWith("TypeKube") ? 20 : 10));
  expect(pageOf(twice)).toContain("| floor | ≤ 1.05 | 2.00 | 1.00 | **not met** |");
  expect(pageOf(twice)).toContain(`- ${goal.what}`);
  expect(figureOf(goal, [])).toBeUndefined();
});

it("growth: what one object costs stands beside the same of other sizes", () => {
  const sizes = [1_000, 10_000].map((count) => ({
    name: `informer-sync-${count / 1_000}k`,
    pods: count,
    count,
    rows: [
      {
        program: "TypeKube protobuf",
        cell: "informer-typekube",
        variant: "auto",
        rounds: [measurement(count / 20), measurement(count / 10), undefined],
      },
    ],
  }));
  const [heads, row] = growthTable(sizes, "informer-sync-").split("\n");
  expect(heads?.split(/ {2,}/)).toEqual(["main us each", "1,000", "10,000"]);
  expect(row?.split(/ {2,}/)).toEqual(["TypeKube protobuf", "75.0", "75.0"]);
  expect(growthTable(sizes.slice(1), "informer-sync-")).toBe("");
});
