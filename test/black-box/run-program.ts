import { spawn } from "node:child_process";
import { once } from "node:events";

/** Exit code and output of a program. */
export interface Ended {
  /** `null` when the program was killed. */
  readonly code: number | null;
  readonly text: string;
}

/** Options of a program's run. */
export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly folder?: string | undefined;
  /** Milliseconds until the program is killed. */
  readonly timeoutMs: number;
}

/** Runs a program until it exits. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env, folder, timeoutMs }: RunOptions,
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.timeout(timeoutMs),
    killSignal: "SIGKILL",
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  child.on("error", (error) => {
    text += `\n${error.message}`;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text };
}
