import { readFileSync } from "node:fs";
import { type Measurement, measure } from "./measurement.js";

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
}

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
  more: (result: T) => Partial<Measurement> = () => ({}),
): Promise<void> {
  // The parent has exited, so the result is no longer needed.
  process.on("disconnect", () => process.exit());
  const [url = "", total = "0", variant = ""] = process.argv.slice(2);
  const caFile = process.env["BENCH_CA"];
  const ca = caFile === undefined ? undefined : readFileSync(caFile, "utf8");
  const token = process.env["BENCH_TOKEN"];
  const task = await prepare({ url, count: Number(total), variant, ca, token });
  let figures: Partial<Measurement> = {};
  const measurement = await measure(task, (result) => {
    figures = more(result);
    return count(result);
  });
  report({ ...measurement, ...figures });
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
