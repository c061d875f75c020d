import { isConflict } from "@typekube/core";
import { isTerminal } from "../definition/terminal.js";
import type { DropReason } from "../events/event-queue.js";
import type { LoopObserver } from "../loop/loop-observer.js";
import { createDepthByPriority } from "../queue/depth-by-priority.js";
import type { QueueObserver } from "../queue/queue-observer.js";
import type { UnfinishedWork } from "../queue/work-queue.js";
import type { Metrics } from "./register-families.js";

/** Values of a controller that are read when the metrics are. */
export interface ControllerValues {
  readonly concurrency: number;
  readonly active: number;
  readonly unfinished: UnfinishedWork;
  readonly paused: number;
  readonly stuck: number;
}

/** Observers that feed the metrics of one controller. */
export interface ControllerMetrics {
  readonly observer: LoopObserver;
  readonly queueObserver: QueueObserver;
  readonly onEventDropped: (reason: DropReason) => void;
  /** Names the source of the values; until then they are 0. */
  watch(values: () => ControllerValues): void;
}

const results = ["error", "requeue", "requeue_after", "success"] as const;
const dropReasons = ["budget", "queue_full", "rejected", "retries", "stopped"] as const;

/** Returns the metrics of a controller. All of them are present from now on, with 0. (controller-runtime's initMetrics) */
export function controllerMetrics(metrics: Metrics, controller: string): ControllerMetrics {
  const labels = { controller };
  const total = (result: (typeof results)[number]) =>
    metrics.get("reconcileTotal").labels({ controller, result });
  const totals = Object.fromEntries(results.map((result) => [result, total(result)])) as Record<
    (typeof results)[number],
    ReturnType<typeof total>
  >;
  const counters = {
    errors: metrics.get("reconcileErrors").labels(labels),
    terminal: metrics.get("terminalErrors").labels(labels),
    panics: metrics.get("panics").labels(labels),
    timeouts: metrics.get("timeouts").labels(labels),
    conflicts: metrics.get("conflicts").labels(labels),
    givenUp: metrics.get("givenUp").labels(labels),
    ownEchoes: metrics.get("ownEchoes").labels(labels),
  };
  for (const one of [...Object.values(totals), ...Object.values(counters)]) {
    one.inc(0);
  }
  for (const reason of dropReasons) {
    metrics.get("eventsDropped").inc({ controller, reason }, 0);
  }
  metrics.get("reconcileTime").zero(labels);
  const time = metrics.get("reconcileTime").labels(labels);
  const observer: LoopObserver = {
    runEnded(_, { result, error, durationMs }) {
      totals[result].inc();
      time.observe(durationMs / 1_000);
      if (result === "error") {
        counters.errors.inc();
        if (isTerminal(error)) {
          counters.terminal.inc();
        }
        if (isConflict(error)) {
          counters.conflicts.inc();
        }
      }
    },
    timedOut: () => counters.timeouts.inc(),
    ownEcho: () => counters.ownEchoes.inc(),
    gaveUp: () => counters.givenUp.inc(),
  };
  return {
    observer,
    queueObserver: queueObserver(metrics, controller),
    onEventDropped: (reason) => metrics.get("eventsDropped").inc({ controller, reason }),
    watch: (values) => watchValues(metrics, controller, values),
  };
}

function queueObserver(metrics: Metrics, controller: string): QueueObserver {
  const labels = { name: controller, controller };
  const adds = metrics.get("adds").labels(labels);
  const retries = metrics.get("retries").labels(labels);
  adds.inc(0);
  retries.inc(0);
  metrics.get("queueDuration").zero(labels);
  metrics.get("workDuration").zero(labels);
  const queueDuration = metrics.get("queueDuration").labels(labels);
  const workDuration = metrics.get("workDuration").labels(labels);
  const { depths, onDepth } = createDepthByPriority();
  const depth = metrics.get("depth");
  metrics.onCollect("depth", () => {
    depth.set({ ...labels, priority: "0" }, 0);
    for (const [priority, count] of depths) {
      depth.set({ ...labels, priority }, count);
    }
  });
  return {
    onAdd: () => adds.inc(),
    onRetry: () => retries.inc(),
    onTake: (waitedMs) => queueDuration.observe(waitedMs / 1_000),
    onDone: (workMs) => workDuration.observe(workMs / 1_000),
    onDepth,
  };
}

function watchValues(metrics: Metrics, controller: string, values: () => ControllerValues): void {
  const labels = { controller };
  const queue = { name: controller, controller };
  const gauges = [
    ["maxConcurrent", labels, ({ concurrency }: ControllerValues) => concurrency],
    ["activeWorkers", labels, ({ active }: ControllerValues) => active],
    ["paused", labels, ({ paused }: ControllerValues) => paused],
    ["stuck", labels, ({ stuck }: ControllerValues) => stuck],
    ["unfinishedWork", queue, ({ unfinished }: ControllerValues) => unfinished.totalMs / 1_000],
    ["longestRunning", queue, ({ unfinished }: ControllerValues) => unfinished.longestMs / 1_000],
  ] as const;
  for (const [name, ofGauge, value] of gauges) {
    const gauge = metrics.get(name);
    metrics.onCollect(name, () => gauge.set(ofGauge, value(values())));
  }
}
