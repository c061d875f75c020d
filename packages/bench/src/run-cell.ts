import { fork } from "node:child_process";
import { cellTimeoutMs, endOfChild } from "./end-of-child.js";
import { goBinary, goProgramOf, runGoCell } from "./go-programs.js";
import type { Launch } from "./launch.js";
import type { Measurement } from "./measurement.js";
import { inputEnvironment, type ProcessInput } from "./process-input.js";

/**
 * Runs one cell in its own process.
 *
 * @param cell - its file in `cells`, without extension.
 * @param timeoutMs - milliseconds until the process is killed and the cell counts as failed.
 */
export async function runCellProcess(
  launch: Launch,
  cell: string,
  input: ProcessInput,
  timeoutMs: number = cellTimeoutMs,
): Promise<Measurement> {
  const program = goProgramOf(cell);
  if (program !== undefined && program !== "kubectl") {
    return runGoCell(program, cell, input, timeoutMs);
  }
  const { url, count, variant } = input;
  const child = fork(launch.file(`cells/${cell}`), [url, String(count), variant], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments],
    env: {
      ...process.env,
      ...(program === undefined ? {} : { BENCH_KUBECTL: goBinary(program) }),
      ...inputEnvironment(input),
    },
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
  const end = await endOfChild(child, `the cell ${cell} (${variant})`, timeoutMs);
  if (measurement === undefined) {
    throw new Error(
      `the cell ${cell} (${variant}) exited with ${end} and printed no result\n${errors.trim()}`,
    );
  }
  return measurement;
}
