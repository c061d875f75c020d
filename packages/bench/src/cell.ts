import { readFileSync } from "node:fs";
import { type Measurement, measure, measureFromStart } from "./measurement.js";

/** Input of a cell. */
export interface CellInput {
  /** URL of the canned server. */
  readonly url: string;
  /** Number of objects, events or requests. */
  readonly count: number;
  /** Settings of this row: an encoding, a concurrency. */
  readonly variant: string;
  /** PEM of the CA of the server's certificate, when the server uses TLS. */
  readonly ca?: string | undefined;
  /** Bearer token of a user who may read and write pods, when the server authenticates requests. */
  readonly token?: string | undefined;
  /** Folder with files to copy, which copies are put into, too. */
  readonly folder?: string | undefined;
}

/** Figures that only some tasks have, or that a task measures itself. */
type More = Partial<Measurement>;

/**
 * Runs the body of a cell's file: sets the program up, measures the task once and sends the measurement to the parent.
 *
 * @param prepare - does imports and makes clients, which are not measured; resolves to the task.
 * @param count - counts the task's result; must be equal for every program.
 * @param more - returns additional figures that only this task has.
 */
export async function runCell<T>(
  prepare: (input: CellInput) => Promise<() => Promise<T>>,
  count: (result: T) => number,
  more: (result: T) => More | Promise<More> = () => ({}),
): Promise<void> {
  const task = await prepare(readInput());
  await reportOf((counted) => measure(task, counted), count, more);
}

/**
 * Runs the body of a cell's file whose imports and clients are measured, too: everything from the start of the process.
 *
 * @param count - counts the task's result; must be equal for every program.
 * @param more - returns additional figures that only this task has.
 */
export async function runWholeCell<T>(
  task: (input: CellInput) => Promise<T>,
  count: (result: T) => number,
  more: (result: T) => More | Promise<More> = () => ({}),
): Promise<void> {
  const input = readInput();
  await reportOf((counted) => measureFromStart(() => task(input), counted), count, more);
}

async function reportOf<T>(
  measured: (count: (result: T) => number) => Promise<Measurement>,
  count: (result: T) => number,
  more: (result: T) => More | Promise<More>,
): Promise<void> {
  const results: T[] = [];
  const measurement = await measured((result) => {
    results.push(result);
    return count(result);
  });
  const [figures] = await Promise.all(results.map(more));
  report({ ...measurement, ...figures });
}

/** Reads the input of the process, and lets it end with its parent. */
export function readInput(): CellInput {
  // The parent has exited, so the result is no longer needed.
  process.on("disconnect", () => process.exit());
  const [url = "", total = "0", variant = ""] = process.argv.slice(2);
  const caFile = process.env["BENCH_CA"];
  const ca = caFile === undefined ? undefined : readFileSync(caFile, "utf8");
  const { BENCH_TOKEN: token, BENCH_FOLDER: folder } = process.env;
  return { url, count: Number(total), variant, ca, token, folder };
}

function report(measurement: Measurement): void {
  // Closes nothing: the program's shutdown is not part of the task.
  const done = () => process.exit();
  if (process.send) {
    process.send(measurement, done);
  } else {
    console.log(JSON.stringify(measurement));
    done();
  }
}
