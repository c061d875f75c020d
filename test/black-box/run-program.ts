import { spawn } from "node:child_process";
import { once } from "node:events";

/** How a program ended, and all that it wrote. */
export interface Ended {
  /** `null` when it had to be ended. */
  readonly code: number | null;
  readonly text: string;
}

/** What a program is run with. */
export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly folder?: string | undefined;
  /** Milliseconds until it is ended. */
  readonly timeoutMs: number;
}

/** Runs a program to its end. */
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
