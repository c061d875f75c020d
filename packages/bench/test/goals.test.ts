import { expect, it } from "vitest";
import { findingsOf } from "../src/findings.js";
import type { Goal } from "../src/goal.js";
import { goals } from "../src/goals.js";
import { farthestOffLine, growthTable } from "../src/growth.js";
import type { Measurement } from "../src/measurement.js";
import { performancePage } from "../src/performance-page.js";
import { planTasks } from "../src/plan.js";
import type { RowResult, TaskResult } from "../src/run-tasks.js";
import { measurementOf } from "./measurement-of.js";

/** Returns results for every row of a full run; `of` gives the milliseconds of a program. */
function resultsWith(of: (program: string) => number): TaskResult[] {
  return planTasks(false).map((task) => ({
    ...task,
    rows: task.rows.map((row) => ({
      ...row,
      rounds: [measurementOf(of(row.program)), undefined, measurementOf(of(row.program))],
    })),
  }));
}

function row(program: string, baseline: RowResult["baseline"], rounds: Measurement[]): RowResult {
  return { program, baseline, cell: "", variant: "", rounds };
}

it("every goal refers to a row of a full run", () => {
  const findings = findingsOf(resultsWith(() => 10));
  expect(findings.map(({ goal }) => goal)).toEqual(goals);
  for (const { goal, figure } of findings) {
    expect(figure, goal.what).toBe(goal.baseline === undefined ? 10 : goal.isExcess ? 0 : 1);
  }
});

const machine = { cpu: "c", cores: 2, memoryGb: 1, platform: "p", node: "24", versions: {} };
const pageOf = (results: TaskResult[], before?: string) =>
  performancePage({ topic: "client", date: new Date(0), machine, rounds: 3, results }, before);

const [first] = goals as readonly [Goal];
const half = resultsWith((program) => (program.startsWith("TypeKube") ? 5 : 10));
const twice = resultsWith((program) => (program.startsWith("TypeKube") ? 20 : 10));

it("a finding is met or not met, and absent for a goal that was not measured", () => {
  expect(findingsOf(half, [first])).toMatchObject([{ figure: 0.5, verdict: "met", control: 1 }]);
  expect(pageOf(half)).toContain("| floor | ≤ 1.05 | 0.50 | 0.50 to 0.50 | 1.00 | met |");
  expect(pageOf(twice)).toContain("| floor | ≤ 1.05 | 2.00 | 2.00 to 2.00 | 1.00 | **not met** |");
  expect(pageOf(twice)).toContain(`- ${first.what}`);
  expect(findingsOf([], [first])).toEqual([]);
});

it("a verdict is close when the goal lies within the interval", () => {
  const ofRounds = (...ours: number[]): TaskResult[] => [
    {
      name: first.task,
      pods: 1,
      count: 1,
      rows: [
        row(first.program, undefined, ours.map(measurementOf)),
        row(
          "floor",
          "floor",
          ours.map(() => measurementOf(100)),
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

it("a verdict is within noise when the control is farther from 1 than the figure from its goal", () => {
  const of = (ours: number, control: number) =>
    resultsWith((program) =>
      program.startsWith("TypeKube") ? ours : program === "floor (control)" ? control : 100,
    );
  const finding = (ours: number, control: number) => findingsOf(of(ours, control), [first])[0];
  expect(finding(110, 108)).toMatchObject({ verdict: "not met", isWithinNoise: true });
  expect(finding(100, 92)).toMatchObject({ verdict: "met", isWithinNoise: true });
  expect(finding(110, 103)).toMatchObject({ verdict: "not met", isWithinNoise: false });
  expect(pageOf(of(110, 108))).toContain("| 1.08 | **not met, within noise** |");
});

it("a figure equal to its goal is met, and a single round is always close", () => {
  const one = (ours: number, rounds = 1): TaskResult[] => [
    {
      name: first.task,
      pods: 1,
      count: 1,
      rows: [
        row(first.program, undefined, Array(rounds).fill(measurementOf(ours))),
        row("floor", "floor", Array(rounds).fill(measurementOf(100))),
      ],
    },
  ];
  expect(findingsOf(one(105, 3), [first])).toMatchObject([{ verdict: "met", isClose: false }]);
  expect(findingsOf(one(50), [first])).toMatchObject([{ verdict: "met", isClose: true }]);
  expect(pageOf(one(50))).toContain("| ≤ 1.05 | 0.50 | one round |  | met, close |");
  expect(findingsOf(one(105.2, 3), [first])).toMatchObject([{ verdict: "not met" }]);
  // With two digits, both would be shown as 1.05.
  expect(pageOf(one(105.2, 3))).toContain("| ≤ 1.050 | 1.052 | 1.052 to 1.052 |  | **not met** |");
});

it("an excess is the additional cost per event, and a goal without its baseline has no finding", () => {
  const excess = goals.find(({ isExcess }) => isExcess) as Goal;
  const results = (...peers: RowResult[]): TaskResult[] => [
    {
      name: excess.task,
      pods: 1,
      count: 1_000,
      rows: [row(excess.program, undefined, [measurementOf(30), measurementOf(33)]), ...peers],
    },
  ];
  const floor = row("floor", "floor", [measurementOf(29), measurementOf(31)]);
  expect(findingsOf(results(floor), [excess])).toMatchObject([{ figure: 1.5, interval: [1, 2] }]);
  expect(findingsOf(results(), [excess])).toEqual([]);
});

it("a missed goal relative to a peer states the figure of the floor", () => {
  const calls = goals.filter(({ task, baseline }) => task === "get-tls-1" && baseline !== "floor");
  expect(findingsOf(twice, calls).map(({ floor }) => floor)).toEqual(calls.map(() => 1));
  expect(pageOf(twice)).toContain(
    "CPU of all threads, JSON (compared with client-go JSON; the floor itself is at 1.00)",
  );
});

it("a goal for a number of objects is not measured by a run with fewer", () => {
  const creates = goals.filter(({ count }) => count !== undefined);
  expect(creates.length).toBeGreaterThan(0);
  expect(findingsOf(half, creates)).toHaveLength(creates.length);
  const quick = half.map((task) => ({ ...task, count: 2_000 }));
  expect(findingsOf(quick, creates)).toEqual([]);
});

it("a page lists the tasks and goals that a run left out", () => {
  expect(pageOf(half)).not.toContain("Not measured");
  const page = pageOf(half.filter(({ name }) => name !== "embedded-start"));
  expect(page).toContain(
    "### Not measured in this run\n\n- tasks: embedded-start\n- goal: start of",
  );
  const failed = half.map((task) =>
    task.name === "patch"
      ? { ...task, rows: task.rows.map((row) => ({ ...row, rounds: [undefined] })) }
      : task,
  );
  expect(pageOf(failed)).toContain("- tasks: patch\n\n");
});

it("growth: shows the cost per object at each size", () => {
  const sizes = [1_000, 10_000].map((count) => ({
    name: `informer-sync-${count / 1_000}k`,
    pods: count,
    count,
    rows: [
      {
        program: "TypeKube protobuf",
        cell: "informer-typekube",
        variant: "auto",
        rounds: [measurementOf(count / 20), measurementOf(count / 10), undefined],
      },
    ],
  }));
  const [heads, row] = growthTable(sizes, "informer-sync-").split("\n");
  expect(heads?.split(/ {2,}/)).toEqual([
    "main us each",
    "1,000",
    "10,000",
    "increase",
    "off line",
  ]);
  expect(row?.split(/ {2,}/)).toEqual(["TypeKube protobuf", "75.0", "75.0", "0 %", "-"]);
  expect(growthTable(sizes.slice(1), "informer-sync-")).toBe("");
  expect(farthestOffLine(sizes, "informer-sync-")).toBeUndefined();
});

it("growth: judges the worst of TypeKube's own rows", () => {
  const sizes = [1_000, 10_000, 50_000].map((count) => ({
    name: `informer-sync-${count / 1_000}k`,
    pods: count,
    count,
    rows: [
      ["TypeKube JSON", count],
      ["TypeKube protobuf", count === 10_000 ? 1.3 * count : count],
      ["floor", count ** 2],
    ].map(([program, ms]) => ({
      program: String(program),
      cell: "informer",
      variant: "",
      rounds: [measurementOf(Number(ms))],
    })),
  }));
  expect(farthestOffLine(sizes, "informer-sync-")).toBeCloseTo(0.3 / 2.3, 9);
  expect(pageOf(sizes)).toContain(
    "TypeKube's sizes are at most 13 % off the line (goal: ≤ 10 %, **not met**).",
  );
  const straight = sizes.map((size) => ({ ...size, rows: size.rows.slice(0, 1) }));
  expect(pageOf(straight)).toContain(
    "TypeKube's sizes are at most 0 % off the line (goal: ≤ 10 %, met).",
  );
});
