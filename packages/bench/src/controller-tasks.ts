import type { Row, Task } from "./task.js";

type Variants = readonly (readonly [program: string, variant: string])[];

const queueVariants: Variants = [
  ["TypeKube", "priority"],
  ["TypeKube, classic queue", "classic"],
];

/** Returns the tasks of controllers that need no kube-apiserver. */
export function controllerTasks(quick: boolean): Task[] {
  const pods = 10_000;
  const repeats = quick ? 1 : 3;
  const queue = (count: number): Task => ({
    name: `controller-queue-${count / 1_000}k`,
    pods,
    count,
    repeats,
    rows: [
      ...ownRows("queue", queueVariants),
      peerRow("queue", "classic"),
      {
        ...peerRow("queue", "priority"),
        program: "controller-runtime, priority queue",
        baseline: "controller-runtime, priority queue",
      },
    ],
  });
  const webhook = (connections: number, count: number): Task => ({
    name: `controller-webhook-${connections}`,
    pods,
    count,
    isWebhook: true,
    rows: [
      ...ownRows("webhook", [["TypeKube", `${connections}`]]),
      // Node runs JavaScript and TLS on one thread.
      peerRow("webhook", `${connections} g1`),
    ],
  });
  return [
    queue(10_000),
    queue(100_000),
    webhook(1, quick ? 1_000 : 5_000),
    webhook(16, quick ? 2_000 : 20_000),
    ...(quick
      ? []
      : [
          {
            name: "controller-adds-100k",
            pods,
            count: 100_000,
            repeats,
            rows: ownRows("adds", [["TypeKube", ""]]),
          },
          {
            name: "controller-metrics",
            pods,
            count: 100,
            rows: ownRows("metrics", [["TypeKube", ""]]),
          },
        ]),
  ];
}

const small = { pods: 0, configMaps: 10_000, count: 10_000, real: true };
const large = { pods: 0, configMaps: 100_000, count: 100_000, real: true };

/** Updates per second of the steady task. */
const updatesPerSecond = 1_000;

/**
 * Returns the tasks of controllers on a kube-apiserver.
 *
 * @param long - lets the steady task take ten minutes instead of two.
 */
export function realControllerTasks(long: boolean): Task[] {
  const seconds = long ? 600 : 120;
  const failover = (how: NonNullable<Task["failover"]>, mostRounds: number): Task => ({
    name: `real-controller-failover-${how}`,
    ...small,
    count: 1,
    failover: how,
    mostRounds,
    rows: [...ownRows("failover", [["TypeKube", ""]]), peerRow("failover", "")],
  });
  return [
    { name: "real-controller-drain-10k", ...small, repeats: 3, rows: drainRows() },
    failover("release", 5),
    // Each lasts as long as the Lease.
    failover("kill", 3),
    {
      name: "real-controller-steady",
      ...small,
      count: seconds * updatesPerSecond,
      updatesPerSecond,
      // A server that is slower than the updates sets the pace.
      timeoutMs: 4 * seconds * 1_000,
      mostRounds: long ? 1 : 3,
      rows: [...ownRows("steady", [["TypeKube", ""]]), peerRow("steady", "")],
    },
    { name: "real-controller-drain-100k", ...large, mostRounds: 5, rows: drainRows() },
    {
      name: "real-controller-shards-100k",
      ...large,
      mostRounds: 5,
      rows: [
        ownRow("shards", "TypeKube, one of three replicas", "shared"),
        { ...ownRow("shards", "TypeKube, unsharded", "alone"), baseline: "unsharded" },
      ],
    },
  ];
}

function drainRows(): Row[] {
  return [
    ...ownRows("drain", [["TypeKube", ""]]),
    { ...ownRow("informer", "TypeKube, informer only", ""), baseline: "informer" },
    peerRow("drain", ""),
  ];
}

function ownRows(task: string, variants: Variants): Row[] {
  return variants.map(([program, variant]) => ownRow(task, program, variant));
}

function ownRow(task: string, program: string, variant: string): Row {
  return { program, cell: `controller-${task}-typekube`, variant };
}

function peerRow(task: string, variant: string): Row {
  return {
    program: "controller-runtime",
    cell: `controller-${task}-controller-runtime`,
    variant,
    baseline: "controller-runtime",
  };
}
