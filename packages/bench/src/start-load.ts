import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Measurement } from "./measurement.js";

/** Report of a load. */
export interface LoadReport extends Pick<Measurement, "latencyP50Ms" | "latencyP99Ms"> {
  /** Number of reviews that were allowed with a patch, or of bytes that were received. */
  readonly count: number;
}

/**
 * Starts the load on a webhook or a forwarded port. The returned function sends a number of reviews, or requests a
 * number of bytes.
 */
export function startLoad(url: string, variant: string): (count: number) => Promise<LoadReport> {
  const [file = "", ...words] = JSON.parse(process.env["BENCH_LOAD"] ?? "[]") as string[];
  const child = spawn(file, [...words, url, variant], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (count) => {
    child.stdin.write(`${count}\n`);
    const { value, done } = await lines.next();
    if (done) {
      throw new Error("the load ended");
    }
    return JSON.parse(value) as LoadReport;
  };
}
