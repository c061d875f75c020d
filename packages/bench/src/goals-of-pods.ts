import type { Goal } from "./goal.js";

const outputBytes = 400_000_000;
const lines = 2_000_000;
/** Lines of 200 bytes at 300 MB/s. */
const linesMs = (lines * 200) / 300_000;

/** Goals of calls into pods. */
export const goalsOfPods: readonly Goal[] = [
  toPeer("400 MB of output of a command, wall time", "pod-exec-output", "wallMs", "client-go"),
  own(
    "400 MB of unread output, memory above the idle program, MB",
    "pod-exec-unread",
    "growthMb",
    40,
    outputBytes,
  ),
  toPeer("1 GiB through a port-forward, wall time", "pod-forward-1gib", "wallMs", "kubectl"),
  toPeer(
    "100 connections of 10 MiB each through a port-forward, wall time",
    "pod-forward-100x10mib",
    "wallMs",
    "kubectl",
  ),
  own(
    "2,000,000 lines of 200 bytes of a followed log, ms",
    "pod-logs-follow",
    "wallMs",
    linesMs,
    lines,
  ),
  toPeer(
    "copy of 10,000 small files from a pod, start of the process included, wall time",
    "pod-cp-from-10k",
    "wallMs",
    "kubectl",
  ),
  toPeer(
    "copy of 10,000 small files to a pod, start of the process included, wall time",
    "pod-cp-to-10k",
    "wallMs",
    "kubectl",
  ),
  toPeer("one command after the other, median", "pod-exec-10k", "latencyP50Ms", "client-go"),
  own("10,000 commands in a row, growth of the heap, MB", "pod-exec-10k", "keptMb", 1, 10_000),
];

/** Returns a goal of at most the figure of a peer. */
function toPeer(
  what: string,
  task: string,
  metric: Goal["metric"],
  baseline: "client-go" | "kubectl",
): Goal {
  return { what, task, program: "TypeKube", metric, baseline, most: 1 };
}

function own(
  what: string,
  task: string,
  metric: Goal["metric"],
  most: number,
  count: number,
): Goal {
  return { what, task, program: "TypeKube", metric, most, count };
}
