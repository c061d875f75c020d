import { fork } from "node:child_process";
import { once } from "node:events";
import type { CellInput } from "./cell.js";
import { isClientGoCell, runClientGoCell } from "./client-go.js";
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
  input: CellInput & { readonly caFile?: string | undefined },
): Promise<Measurement> {
  if (isClientGoCell(cell)) {
    return runClientGoCell(cell, input);
  }
  const { url, count, variant, caFile } = input;
  const child = fork(launch.file(`cells/${cell}`), [url, String(count), variant], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments, "--expose-gc"],
    env: { ...process.env, ...(caFile === undefined ? {} : { BENCH_CA: caFile }) },
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
