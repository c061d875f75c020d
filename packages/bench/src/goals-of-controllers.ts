import type { Goal } from "./goal.js";
import type { Baseline } from "./task.js";

/** Goals of controllers, most of them relative to controller-runtime. */
export const goalsOfControllers: readonly Goal[] = [
  // The default queue of both is the priority queue; the classic one is the faster of controller-runtime's.
  ...(["controller-runtime", "controller-runtime, priority queue"] as const).flatMap((baseline) =>
    ["10k", "100k"].flatMap((keys) => queueGoals(keys, baseline)),
  ),
  own("100,000 adds in one tick, longest event loop block, ms", "controller-adds-100k", 50, {
    metric: "blockMs",
    count: 100_000,
  }),
  {
    ...toPeer(
      "start of a process to the last of 10,000 ConfigMaps reconciled",
      "real-controller-drain-10k",
      "wallMs",
      1.1,
    ),
    baseline: "informer",
  },
  toPeer(
    "start of a process to the last of 10,000 ConfigMaps reconciled",
    "real-controller-drain-10k",
    "wallMs",
    1,
  ),
  toPeer(
    "start of a process to the last of 10,000 ConfigMaps reconciled, peak memory",
    "real-controller-drain-10k",
    "maxRssMb",
    1.1,
  ),
  // Twice the rate.
  toPeer("first to last run of 10,000 ConfigMaps", "real-controller-drain-10k", "drainMs", 1 / 2),
  toPeer(
    "controller with 100,000 objects of 1 kB, peak memory",
    "real-controller-drain-100k",
    "maxRssMb",
    0.5,
  ),
  toPeer(
    "1,000 updates a second, event to run, 99th percentile",
    "real-controller-steady",
    "latencyP99Ms",
    1,
  ),
  own("1,000 updates a second, event to run, 99th percentile, ms", "real-controller-steady", 10, {
    metric: "latencyP99Ms",
  }),
  own("1,000 updates a second, growth of the heap, MB", "real-controller-steady", 1, {
    metric: "keptMb",
  }),
  own("fail-over after a release, to the first run, ms", "real-controller-failover-release", 300, {
    metric: "wallMs",
  }),
  own(
    "fail-over after SIGKILL, to the first run, ms; the Lease lasts 15 s",
    "real-controller-failover-kill",
    15_500,
    { metric: "wallMs" },
  ),
  toPeer("webhook, one review at a time, median", "controller-webhook-1", "latencyP50Ms", 1),
  own("webhook, one review at a time, median, ms", "controller-webhook-1", 1, {
    metric: "latencyP50Ms",
  }),
  toPeer(
    "webhook on one core, 16 reviews at a time, wall time",
    "controller-webhook-16",
    "wallMs",
    1,
  ),
  // 3,000 a second.
  own("20,000 reviews by a webhook on one core, ms", "controller-webhook-16", 20_000 / 3, {
    metric: "wallMs",
    count: 20_000,
  }),
  {
    what: "import of typekube/controller, ms",
    task: "import-entries",
    program: "typekube/controller",
    metric: "wallMs",
    most: 40,
  },
  own("scrape of 200 metrics, median, ms", "controller-metrics", 5, { metric: "latencyP50Ms" }),
  ...(["keptMb", "cpuMs"] as const).map((metric) => ({
    what: `one of three replicas that share 100,000 objects, ${metric === "keptMb" ? "memory kept" : "CPU of all threads"}`,
    task: "real-controller-shards-100k",
    program: "TypeKube, one of three replicas",
    metric,
    baseline: "unsharded" as const,
    most: 0.4,
  })),
];

function queueGoals(keys: string, baseline: Baseline): Goal[] {
  const task = `controller-queue-${keys}`;
  return [
    {
      ...toPeer(
        `queue and no-op reconcile of ${keys} keys, one worker, wall time`,
        task,
        "wallMs",
        1,
      ),
      baseline,
    },
    { ...toPeer(`heap of a queue with ${keys} ready keys`, task, "keptMb", 0.7), baseline },
  ];
}

function toPeer(what: string, task: string, metric: Goal["metric"], most: number): Goal {
  return { what, task, program: "TypeKube", metric, baseline: "controller-runtime", most };
}

function own(what: string, task: string, most: number, more: Pick<Goal, "count" | "metric">): Goal {
  return { what, task, program: "TypeKube", most, ...more };
}
