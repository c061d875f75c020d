import type { Goal } from "./goal.js";
import type { Task } from "./task.js";

/** Number of faults that the operator of the shop can meet, each of which is a run. */
export const singleFaults = 102;

/** Returns the tasks of a search for the failures of a shop's operator. */
export function exploreTasks(quick: boolean): Task[] {
  return [
    {
      name: "explore-runs",
      pods: 10_000,
      count: quick ? singleFaults + 50 : 3_000,
      rows: [{ program: "TypeKube", cell: "explore-typekube", variant: "" }],
    },
    ...(quick
      ? []
      : [
          {
            name: "explore-many-runs",
            pods: 10_000,
            count: 10_000,
            rows: [{ program: "TypeKube" as const, cell: "explore-typekube", variant: "" }],
          },
        ]),
    {
      name: "explore-each-fault",
      pods: 10_000,
      count: singleFaults,
      rows: [{ program: "TypeKube", cell: "explore-typekube", variant: "" }],
    },
  ];
}

/** Goals of such a search. Each run starts the operator on a fork of the server, plays the steps and compares the end. */
export const goalsOfExplore: readonly Goal[] = [
  {
    what: "3,000 complete runs, with one fault and with several, ms",
    task: "explore-runs",
    count: 3_000,
    program: "TypeKube",
    metric: "wallMs",
    // 300 runs a second.
    most: 10_000,
  },
  {
    what: "10,000 complete runs, ms",
    task: "explore-many-runs",
    program: "TypeKube",
    metric: "wallMs",
    most: 33_333,
  },
  {
    what: "each fault alone, ms",
    task: "explore-each-fault",
    program: "TypeKube",
    metric: "wallMs",
    most: 10_000,
  },
];
