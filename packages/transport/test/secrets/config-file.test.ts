import { execFileSync } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "@typekube/test-support/manual-clock";
import { expect, test } from "vitest";
import { configFileLimits, readConfigFile } from "../../src/secrets/config-file.js";

// Windows has no named pipes in its file system.
test.skipIf(process.platform === "win32")(
  "waits for an unresponsive file only until its deadline",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "typekube-"));
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const clock = manualClock();
    const reading = readConfigFile(pipe, { allowsPipes: true, clock });
    clock.advance(configFileLimits.timeoutMs);
    await expect(reading).rejects.toThrow("reading the file took longer than 30000 ms");
    // Releases the Node thread that waits for a writer.
    await (await open(pipe, "w")).close();
    await rm(folder, { recursive: true });
  },
);
