import { readFileSync } from "node:fs";
import { pause, watchLoop } from "./loop-stop.js";

/** Cost of one cell. */
export interface Measurement {
  /** Milliseconds of CPU of the main thread; hardly affected by other work on the machine. */
  readonly mainMs: number;
  /** Milliseconds of CPU of all threads, including garbage collection and compilation. */
  readonly cpuMs: number;
  /** Milliseconds from start to end. */
  readonly wallMs: number;
  /** Peak resident memory of the whole process, imports included, in MB. */
  readonly maxRssMb: number;
  /** MB that the result keeps alive after a full collection, buffers included. */
  readonly keptMb: number;
  /** Longest block of the event loop, in milliseconds. */
  readonly blockMs: number;
  /** Source of `mainMs`. */
  readonly clock: "all threads" | "main thread" | "process";
  /** Objects, events or bytes that the task counted, to verify that every program did the same. */
  readonly count: number;
  /** Milliseconds from the first to the last run of a controller; only for tasks that drain a queue. */
  readonly drainMs?: number | undefined;
  /**
   * Median and 99th percentile, in milliseconds: of a cache's lag behind writes, of the time from an event to its run, or
   * of a response. Only for tasks that have one of these.
   */
  readonly latencyP50Ms?: number | undefined;
  readonly latencyP99Ms?: number | undefined;
  /** MB of resident memory above that of the idle program; only for tasks in which a program is idle first. */
  readonly growthMb?: number | undefined;
}

/**
 * Runs a task once and measures it. Its result stays alive until the memory is measured.
 *
 * @param count - counts the result; must be equal for every program.
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

/**
 * Measures a process from its start, as its parent saw it, until a task's end. The result stays alive until the memory is
 * measured.
 */
export async function measureFromStart<T>(
  task: () => Promise<T>,
  count: (result: T) => number,
): Promise<Measurement> {
  const startedAt = Number(process.env["BENCH_STARTED_AT"]);
  const result = await task();
  const wallMs = Date.now() - startedAt;
  const mainMs = mainThreadCpu();
  const cpuMs = wholeProcessCpu();
  const maxRssMb = process.resourceUsage().maxRSS / 1024;
  return {
    mainMs,
    cpuMs,
    wallMs,
    maxRssMb,
    keptMb: await memoryInUse(),
    // Watching the event loop takes a pause before the task.
    blockMs: 0,
    clock: hasThreadClock() ? "main thread" : "all threads",
    count: count(result),
  };
}

/** Returns MB in use after a full collection. */
export async function memoryInUse(): Promise<number> {
  // Collects twice, with a pause between: the second collection frees what finalizers released.
  globalThis.gc?.();
  await pause();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

const schedstat = "/proc/self/schedstat";
let source: (() => number) | undefined;

/** Returns the milliseconds of CPU that the main thread has used. */
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
  // Available since Node 22.19 and 23.9; it also counts the time since the last scheduler tick.
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
