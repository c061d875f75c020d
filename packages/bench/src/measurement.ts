import { readFileSync } from "node:fs";
import { pause, watchLoop } from "./loop-stop.js";

/** What one cell cost. */
export interface Measurement {
  /** Milliseconds of CPU of the main thread; survives other work on the machine. */
  readonly mainMs: number;
  /** Milliseconds of CPU of all threads: what collects garbage and compiles besides, too. */
  readonly cpuMs: number;
  /** Milliseconds from start to end. */
  readonly wallMs: number;
  /** Highest resident memory of the whole process, the imports included, in MB. */
  readonly maxRssMb: number;
  /** What the result keeps alive after a full collection, buffers included, in MB. */
  readonly keptMb: number;
  /** Longest time that the event loop stood still, in milliseconds. */
  readonly blockMs: number;
  /** Where `mainMs` comes from. */
  readonly clock: "all threads" | "main thread" | "process";
  /** What the task counts, to see that every program did the same: objects, events, bytes. */
  readonly count: number;
  /** Milliseconds by which a cache lags behind writes, median and 99th percentile; of tasks with faults alone. */
  readonly lagP50Ms?: number | undefined;
  readonly lagP99Ms?: number | undefined;
}

/**
 * Runs a task once and measures it. What it resolves to stays alive until the memory is counted.
 *
 * @param count - of the result; what every program must agree on.
 */
export async function measure<T>(
  task: () => Promise<T>,
  count: (result: T) => number,
): Promise<Measurement> {
  const keptBefore = await memoryInUse();
  const loop = await watchLoop();
  const main = mainThreadCpu();
  const cpu = wholeProcessCpu();
  const startedAt = performance.now();
  const result = await task();
  const wallMs = performance.now() - startedAt;
  const mainMs = mainThreadCpu() - main;
  const cpuMs = wholeProcessCpu() - cpu;
  const blockMs = await loop.end();
  const maxRssMb = process.resourceUsage().maxRSS / 1024;
  const keptMb = (await memoryInUse()) - keptBefore;
  return {
    mainMs,
    cpuMs,
    wallMs,
    maxRssMb,
    keptMb: Math.max(0, keptMb),
    blockMs,
    clock: hasThreadClock() ? "main thread" : "all threads",
    count: count(result),
  };
}

/** MB in use after a full collection. */
async function memoryInUse(): Promise<number> {
  // Twice, with a turn of the loop between: what finalizers let go is collected by the second.
  globalThis.gc?.();
  await pause();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

const schedstat = "/proc/self/schedstat";
let source: (() => number) | undefined;

/** Milliseconds of CPU that the main thread has used. */
function mainThreadCpu(): number {
  source ??= threadClock() ?? wholeProcessCpu;
  return source();
}

function hasThreadClock(): boolean {
  return source !== wholeProcessCpu;
}

function wholeProcessCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function threadClock(): (() => number) | undefined {
  // Node 22.19 and 23.9 have this one; it also counts the time since the last tick of the scheduler.
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage) {
    return () => {
      const { user, system } = threadCpuUsage.call(process);
      return (user + system) / 1000;
    };
  }
  const read = () => Number(readFileSync(schedstat, "utf8").split(" ")[0]) / 1e6;
  try {
    return read() > 0 ? read : undefined;
  } catch {
    return undefined;
  }
}
