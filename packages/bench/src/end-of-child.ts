import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** How long one cell may take: ten times the slowest on a quiet machine. */
export const cellTimeoutMs = 300_000;

/**
 * Resolves to the code with which a process ended, or to the signal that ended it, when its streams are read.
 *
 * @param name - of what it runs, for the error.
 * @param timeoutMs - after which it is killed.
 * @throws when it could not be started or did not end in time.
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
