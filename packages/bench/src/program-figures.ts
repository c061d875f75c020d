import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Measurement } from "./measurement.js";

/** Milliseconds of a clock tick of /proc. */
const tickMs = 10;
/** Milliseconds between two looks at a program that ends by itself. */
const sampleMs = 10;

/** Figures of another program. Its start and its end are known only to this process. */
export type ProgramFigures = Pick<
  Measurement,
  "blockMs" | "clock" | "cpuMs" | "keptMb" | "mainMs" | "maxRssMb"
>;

/** Starts kubectl on a server, with nothing of the user's configuration. GOMAXPROCS is 2, as for other programs in Go. */
export function startKubectl(url: string, home: string, words: readonly string[]): ChildProcess {
  const file = process.env["BENCH_KUBECTL"] ?? "kubectl";
  return spawn(file, ["--server", url, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, KUBECONFIG: "/dev/null", HOME: home, GOMAXPROCS: "2" },
  });
}

/** Returns the figures of a running program, from its start. Linux only: other systems have 0. */
export function figuresOf({ pid }: ChildProcess): ProgramFigures {
  let [cpuMs, maxRssMb] = [0, 0];
  try {
    // The name in parentheses may contain spaces. (proc_pid_stat(5): utime is field 14, stime 15)
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    cpuMs = (Number(stat[11]) + Number(stat[12])) * tickMs;
    maxRssMb = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // It has ended.
  }
  return { cpuMs, mainMs: cpuMs, maxRssMb, keptMb: 0, blockMs: 0, clock: "process" };
}

/**
 * Waits for the end of a program and returns its last figures.
 *
 * @throws when it fails.
 */
export async function figuresAtEnd(child: ChildProcess): Promise<ProgramFigures> {
  child.stdout?.resume();
  let figures = figuresOf(child);
  const timer = setInterval(() => {
    const now = figuresOf(child);
    if (now.maxRssMb > 0) {
      figures = now;
    }
  }, sampleMs);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) {
      throw new Error(`the program exited with ${code}`);
    }
    return figures;
  } finally {
    clearInterval(timer);
  }
}
