import { readFileSync } from "node:fs";
import { type Measurement, measure } from "./measurement.js";

/** What a cell is told. */
export interface CellInput {
  /** Where the canned server is. */
  readonly url: string;
  /** How many objects, events or requests. */
  readonly count: number;
  /** What the program does differently in this row: an encoding, a concurrency. */
  readonly variant: string;
  /** PEM of the CA that the server's certificate is from, when it speaks TLS. */
  readonly ca?: string | undefined;
  /** Of a user who may read and write pods, where the server asks who calls. */
  readonly token?: string | undefined;
}

/**
 * The body of a cell's file: sets the program up, measures the task once and tells the parent.
 *
 * @param prepare - imports and clients, which are outside the measurement; resolves to the task.
 * @param count - of the task's result; what every program must agree on.
 * @param more - figures of the result that only this task has.
 */
export async function runCell<T>(
  prepare: (input: CellInput) => Promise<() => Promise<T>>,
  count: (result: T) => number,
  more: (result: T) => Partial<Measurement> = () => ({}),
): Promise<void> {
  // Whoever asked is gone: nobody reads the result any more.
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
  // Nothing is closed: how a program ends is no part of the task.
  const done = () => process.exit();
  if (process.send) {
    process.send(measurement, done);
  } else {
    console.log(JSON.stringify(measurement));
    done();
  }
}
