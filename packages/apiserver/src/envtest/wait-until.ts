import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "./server-process.js";

const pauseMs = 50;

/** Polls a program until it is ready; throws an error with its output when it exits or the time is over. */
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
