import { expect, it } from "vitest";
import { findingsOf } from "../src/findings.js";
import { type Goal, goals } from "../src/goals.js";
import { growthTable } from "../src/growth.js";
import type { Measurement } from "../src/measurement.js";
import { performancePage } from "../src/performance-page.js";
import { planTasks } from "../src/plan.js";
import type { RowResult, TaskResult } from "../src/run-tasks.js";
import { medianInterval, offLine } from "../src/statistics.js";

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

function row(program: string, baseline: RowResult["baseline"], rounds: Measurement[]): RowResult {
  return { program, baseline, cell: "", variant: "", rounds };
}

it("every goal is about a row that a full run has", () => {
  const findings = findingsOf(resultsWith(() => 10));
  expect(findings.map(({ goal }) => goal)).toEqual(goals);
  for (const { goal, figure } of findings) {
    expect(figure, goal.what).toBe(goal.baseline === undefined ? 10 : 1);
  }
});

const machine = { cpu: "c", cores: 2, memoryGb: 1, platform: "p", node: "24", versions: {} };
const pageOf = (results: TaskResult[], before?: string) =>
  performancePage({ date: new Date(0), machine, rounds: 2, results }, before);

const [first] = goals as readonly [Goal];
const half = resultsWith((program) => (program.startsWith("TypeKube") ? 5 : 10));
const twice = resultsWith((program) => (program.startsWith("TypeKube") ? 20 : 10));

it("a figure is met or not met, and absent where nothing was measured", () => {
  expect(findingsOf(half, [first])).toMatchObject([{ figure: 0.5, verdict: "met", control: 1 }]);
  expect(pageOf(half)).toContain("| floor | ≤ 1.05 | 0.50 | 0.50 to 0.50 | 1.00 | met |");
  expect(pageOf(twice)).toContain("| floor | ≤ 1.05 | 2.00 | 2.00 to 2.00 | 1.00 | **not met** |");
  expect(pageOf(twice)).toContain(`- ${first.what}`);
  expect(findingsOf([], [first])).toEqual([]);
});

it("a verdict is close when rounds say either", () => {
  const ofRounds = (...ours: number[]): TaskResult[] => [
    {
      name: first.task,
      pods: 1,
      count: 1,
      rows: [
        row(first.program, undefined, ours.map(measurement)),
        row(
          "floor",
          "floor",
          ours.map(() => measurement(100)),
        ),
      ],
    },
  ];
  const finding = (...ours: number[]) => findingsOf(ofRounds(...ours), [first])[0];
  expect(finding(90, 100, 104)).toMatchObject({ verdict: "met", isClose: false });
  expect(finding(90, 100, 110)).toMatchObject({ verdict: "met", isClose: true });
  expect(finding(90, 108, 110)).toMatchObject({ verdict: "not met", isClose: true });
  expect(finding(106, 108, 110)).toMatchObject({ verdict: "not met", isClose: false });
});

it("a page tells what the page of the run before said otherwise", () => {
  const before = pageOf(half);
  expect(before).not.toContain("the run before");
  const count = goals.length;
  expect(pageOf(half, before)).toContain(
    `Run of 1970-01-01, 2 rounds: of ${count} goals that both measured, ${count} have the same verdict.\n`,
  );
  expect(pageOf(twice, before)).toContain(`- ${first.what} beside floor: met, now **not met**`);
});

it("the interval of a median leaves out as many at either end as it can be sure of", () => {
  const to = (count: number) => Array.from({ length: count }, (_, index) => index);
  expect(medianInterval([5])).toEqual([5, 5]);
  expect(medianInterval(to(5).reverse())).toEqual([0, 4]);
  expect(medianInterval(to(9))).toEqual([1, 7]);
  expect(medianInterval(to(15))).toEqual([3, 11]);
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
  expect(heads?.split(/ {2,}/)).toEqual(["main us each", "1,000", "10,000", "off a line"]);
  expect(row?.split(/ {2,}/)).toEqual(["TypeKube protobuf", "75.0", "75.0", "-"]);
  expect(growthTable(sizes.slice(1), "informer-sync-")).toBe("");
});

it("what grows as a line does, from whatever it costs to begin, is off it by nothing", () => {
  const points = (of: (x: number) => number) => [1, 10, 50, 200].map((x) => ({ x, y: of(x) }));
  expect(offLine(points((x) => 50 + 3 * x))).toBeCloseTo(0, 9);
  expect(offLine(points((x) => x * x))).toBeGreaterThan(0.5);
  // One of four is a tenth too large: the line comes to meet it, and cannot reach it.
  const off = offLine(points((x) => 3 * x * (x === 50 ? 1.1 : 1)));
  expect(off).toBeGreaterThan(0.03);
  expect(off).toBeLessThan(0.1);
});
