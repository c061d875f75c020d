import { setTimeout } from "node:timers/promises";
import type { ConformanceContext } from "../conformance-case.js";

/** Milliseconds between two looks at a real server. */
const pollMs = 20;

/** Asks again and again until it is so. Real servers read some objects from caches that are a moment behind. */
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
