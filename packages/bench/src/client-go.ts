import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endOfChild } from "./end-of-child.js";
import type { Measurement } from "./measurement.js";
import { peersFolder } from "./peers.js";
import { credentials, type ProcessInput } from "./process-input.js";

const folder = `${peersFolder}client-go/`;
const program = fileURLToPath(new URL(`file://${folder}client-go-cells`));

/**
 * Compiles the program on client-go, where Go is.
 *
 * @returns what went wrong; the rows of client-go are left out then.
 */
export function buildClientGo(): string {
  const { status, stderr, error } = spawnSync("go", ["build", "-o", program, "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? "" : (error?.message ?? stderr.trim());
}

/** Whether a cell is one of that program. */
export function isClientGoCell(cell: string): boolean {
  return cell.endsWith("-client-go");
}

/** Runs one cell on client-go, on two cores of however many there are; `g1` in the variant: on one. */
export async function runClientGoCell(
  cell: string,
  input: ProcessInput,
  timeoutMs: number,
): Promise<Measurement> {
  const { url, count, variant } = input;
  const task = cell.replace(/-client-go$/, "");
  const child = spawn(program, [url, String(count), task, variant], {
    // Its input stays open: where it ends, this process is gone, and the program ends, too.
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...process.env,
      GOMAXPROCS: variant.includes("g1") ? "1" : "2",
      ...credentials(input),
    },
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (text: Buffer) => {
    output += text.toString();
  });
  child.stderr.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const code = await endOfChild(child, `client-go (${task} ${variant})`, timeoutMs);
  if (code !== 0) {
    throw new Error(`client-go (${task} ${variant}) ended with ${code}\n${errors.trim()}`);
  }
  return JSON.parse(output) as Measurement;
}
