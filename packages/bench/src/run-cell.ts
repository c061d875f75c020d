import { fork } from "node:child_process";
import { once } from "node:events";
import type { CellInput } from "./cell.js";
import type { Launch } from "./launch.js";
import type { Measurement } from "./measurement.js";

const timeoutMs = 120_000;

/**
 * Runs one cell in a process of its own.
 *
 * @param cell - its file in `cells`, without ending.
 */
export async function runCellProcess(
  launch: Launch,
  cell: string,
  { url, count, variant }: CellInput,
): Promise<Measurement> {
  const child = fork(launch.file(`cells/${cell}`), [url, String(count), variant], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments, "--expose-gc"],
    signal: AbortSignal.timeout(timeoutMs),
    killSignal: "SIGKILL",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  let measurement: Measurement | undefined;
  child.on("message", (message) => {
    measurement = message as Measurement;
  });
  await once(child, "close");
  if (measurement === undefined) {
    throw new Error(`the cell ${cell} (${variant}) ended without a result\n${errors.trim()}`);
  }
  return measurement;
}
