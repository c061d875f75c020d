import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Milliseconds that one cell may take: ten times the slowest cell on a quiet machine. */
export const cellTimeoutMs = 300_000;

/**
 * Resolves to the exit code of a process, or to the signal that ended it, after its streams were read to the end.
 *
 * @param name - names the program in the error message.
 * @param timeoutMs - milliseconds until the process is killed.
 * @throws when the process could not be started or did not end in time.
 */
export async function endOfChild(
  child: ChildProcess,
  name: string,
  timeoutMs: number,
): Promise<NodeJS.Signals | number> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals];
    if (isLate) {
      throw new Error(`${name} was killed after ${timeoutMs / 1000} s`);
    }
    return code ?? signal;
  } finally {
    clearTimeout(timer);
  }
}
