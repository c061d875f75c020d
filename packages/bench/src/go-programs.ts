import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endOfChild } from "./end-of-child.js";
import type { Measurement } from "./measurement.js";
import { peersFolder } from "./peers.js";
import { inputEnvironment, type ProcessInput } from "./process-input.js";

/**
 * Programs in Go, each a module of its own in `peers`. The names of their cells end with theirs. The cells of kubectl are
 * in JavaScript, and run it.
 */
export const goPrograms = ["cel-go", "client-go", "controller-runtime", "kubectl"] as const;

export type GoProgram = (typeof goPrograms)[number];

const folderOf = (program: GoProgram): string => `${peersFolder}${program}/`;

/** Returns the path of a program, which {@link buildGoProgram} writes. */
export function goBinary(program: GoProgram): string {
  return fileURLToPath(new URL(`file://${folderOf(program)}${program}-cells`));
}

/**
 * Compiles a program, if Go is installed.
 *
 * @returns the error; the program's rows are left out in that case.
 */
export function buildGoProgram(program: GoProgram): string {
  const { status, stderr, error } = spawnSync("go", ["build", "-o", goBinary(program), "."], {
    cwd: folderOf(program),
    encoding: "utf8",
  });
  return status === 0 ? "" : (error?.message ?? stderr.trim());
}

/** Returns the program that a cell belongs to; `undefined` for a cell in JavaScript. */
export function goProgramOf(cell: string): GoProgram | undefined {
  return goPrograms.find((program) => cell.endsWith(`-${program}`));
}

/** A process to start. */
export interface Command {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the command for a cell: with two cores, whatever the machine has; with `g1` in the variant, with one core. */
export function goCommand(program: GoProgram, cell: string, input: ProcessInput): Command {
  const { url, count, variant } = input;
  return {
    file: goBinary(program),
    arguments: [taskOf(program, cell), url, String(count), variant],
    env: {
      ...process.env,
      GOMAXPROCS: variant.split(" ").includes("g1") ? "1" : "2",
      ...inputEnvironment(input),
    },
  };
}

/** Runs one cell in Go. */
export async function runGoCell(
  program: GoProgram,
  cell: string,
  input: ProcessInput,
  timeoutMs: number,
): Promise<Measurement> {
  const { file, arguments: words, env } = goCommand(program, cell, input);
  // Keeps stdin open: it closes when this process exits, and then the program exits too.
  const child = spawn(file, words, { stdio: ["pipe", "pipe", "pipe"], env });
  let output = "";
  let errors = "";
  child.stdout.on("data", (text: Buffer) => {
    output += text.toString();
  });
  child.stderr.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const name = `${program} (${taskOf(program, cell)} ${input.variant})`;
  const code = await endOfChild(child, name, timeoutMs);
  if (code !== 0) {
    throw new Error(`${name} ended with ${code}\n${errors.trim()}`);
  }
  return JSON.parse(output) as Measurement;
}

/** Returns the program's own name of a task: `controller-queue-controller-runtime` is its `queue`. */
function taskOf(program: GoProgram, cell: string): string {
  return cell.slice(0, -program.length - 1).replace(/^controller-/, "");
}
