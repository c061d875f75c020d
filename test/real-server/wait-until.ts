import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "./server-process.js";

const pauseMs = 50;

/** Asks a program again and again until it is ready; fails when it ended or the time is over, with what it wrote. */
export async function waitUntil(
  isReady: () => Promise<boolean>,
  server: ServerProcess,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (!server.isRunning) {
      throw server.failure("ended before it was ready");
    }
    if (await isReady().catch(() => false)) {
      return;
    }
    if (performance.now() > deadline) {
      throw server.failure(`was not ready after ${timeoutMs} ms`);
    }
    await pause(pauseMs);
  }
}
