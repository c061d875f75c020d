import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchSources } from "../src/launch.js";
import { type PodServer, startPodServer } from "../src/pod-server-process.js";
import { runCellProcess } from "../src/run-cell.js";

const launch = launchSources();
let server: PodServer;

beforeAll(async () => {
  server = await startPodServer(launch);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Runs a cell, with the process that connects to forwarded ports. */
async function run(cell: string, count: number, variant = "") {
  const command = [launch.node, ...launch.nodeArguments, launch.file("port-load")];
  const { url, folder } = server;
  return runCellProcess(launch, cell, { url, folder, count, variant, load: { command } });
}

describe("a cell of calls into pods", () => {
  it.each([
    ["pod-exec-output-typekube", 3_000_001, ""],
    ["pod-forward-typekube", 3_000_000, "3"],
    ["pod-logs-typekube", 12_345, ""],
    ["pod-cp-typekube", 10_000, "to"],
  ])("%s counts all of %i (%s)", async (cell, count, variant) => {
    const measurement = await run(cell, count, variant);
    expect(measurement.count).toBe(count);
    expect(measurement.wallMs).toBeGreaterThan(0);
  });

  it("has the latencies of commands in a row", async () => {
    const { count, latencyP50Ms, latencyP99Ms } = await run("pod-exec-row-typekube", 20);
    expect(count).toBe(20);
    expect(latencyP50Ms).toBeGreaterThan(0);
    expect(latencyP99Ms).toBeGreaterThanOrEqual(latencyP50Ms ?? Number.NaN);
  });
});
