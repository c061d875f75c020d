import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endOfChild } from "./end-of-child.js";
import type { Measurement } from "./measurement.js";
import { peersFolder } from "./peers.js";
import { credentials, type ProcessInput } from "./process-input.js";

const folder = `${peersFolder}client-go/`;
const program = fileURLToPath(new URL(`file://${folder}client-go-cells`));

/**
 * Compiles the client-go program, if Go is installed.
 *
 * @returns the error; the client-go rows are left out in that case.
 */
export function buildClientGo(): string {
  const { status, stderr, error } = spawnSync("go", ["build", "-o", program, "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? "" : (error?.message ?? stderr.trim());
}

/** Returns true for a cell of the client-go program. */
export function isClientGoCell(cell: string): boolean {
  return cell.endsWith("-client-go");
}

/** Runs one cell on client-go with two cores, whatever the machine has; with `g1` in the variant, with one core. */
export async function runClientGoCell(
  cell: string,
  input: ProcessInput,
  timeoutMs: number,
): Promise<Measurement> {
  const { url, count, variant } = input;
  const task = cell.replace(/-client-go$/, "");
  const child = spawn(program, [url, String(count), task, variant], {
    // Keeps stdin open: it closes when this process exits, and then the program exits too.
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
