import { setTimeout } from "node:timers/promises";
import type { ConformanceContext } from "../conformance-case.js";

/** Milliseconds between two attempts on a real server. */
const pollMs = 20;

/** Repeats a check until it succeeds. Real servers read some objects from caches that lag behind. */
export async function until(
  { signal, server }: Pick<ConformanceContext, "server" | "signal">,
  isSo: () => Promise<boolean>,
): Promise<void> {
  while (!(await isSo())) {
    if (server === "embedded") {
      throw new Error("the embedded server has no caches to wait for");
    }
    await setTimeout(pollMs, undefined, { signal });
  }
}
