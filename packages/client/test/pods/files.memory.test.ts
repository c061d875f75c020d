import { stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filePod } from "./file-pod.js";

const fileBytes = 300 * 1024 * 1024;
/** Bytes that both ends of the connections, which are one process here, may hold at once. */
const maxHeldBytes = 64 * 1024 * 1024;

function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it("XC7, XC10: a file of 300 MiB goes through a small part of memory, in both directions", async () => {
  await using one = await filePod();
  await writeFile(join(one.local, "big"), "");
  await truncate(join(one.local, "big"), fileBytes);
  await one.pod.copyTo(join(one.local, "big"), "warm-up");
  globalThis.gc?.();
  const before = heldBytes();
  let most = 0;
  let steps = 0;
  const onProgress = () => {
    if (++steps % 200 === 0) {
      globalThis.gc?.();
      most = Math.max(most, heldBytes() - before);
    }
  };
  await one.pod.copyTo(join(one.local, "big"), "there", { onProgress });
  await one.pod.copyFrom("there", join(one.local, "back"), { onProgress });
  expect((await stat(join(one.local, "back"))).size).toBe(fileBytes);
  console.log(`at most ${(most / 1024 / 1024).toFixed(1)} MiB held, ${steps} steps`);
  expect(steps).toBeGreaterThan(1000);
  expect(most).toBeLessThan(maxHeldBytes);
});
