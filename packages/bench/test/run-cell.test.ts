import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCannedServer } from "../src/canned-server-process.js";
import { launchSources } from "../src/launch.js";
import { planTasks } from "../src/plan.js";
import { ratioTable } from "../src/report.js";
import { runCellProcess } from "../src/run-cell.js";
import { pairedRatio } from "../src/statistics.js";

describe("a cell", () => {
  it.each([
    ["list-typekube", "auto lean"],
    ["list-floor", ""],
  ])("%s runs end to end on 50 pods", async (cell, variant) => {
    const launch = launchSources();
    await using server = await startCannedServer(launch, 50);
    const measurement = await runCellProcess(launch, cell, { url: server.url, count: 50, variant });
    expect(measurement.count).toBe(50);
    expect(measurement.mainMs).toBeGreaterThan(0);
    expect(measurement.wallMs).toBeGreaterThan(0);
    expect(measurement.maxRssMb).toBeGreaterThan(20);
  });
});

describe("a cell that", () => {
  const input = { url: "http://127.0.0.1:1", count: 1, variant: "odd" };
  /** Runs a program in place of a cell. */
  const run = (program: string, timeoutMs?: number) => {
    const file = join(mkdtempSync(join(tmpdir(), "bench-cell-")), "cell.mjs");
    writeFileSync(file, program);
    return runCellProcess(
      { ...launchSources(), nodeArguments: [], file: () => file },
      "list-x",
      input,
      timeoutMs,
    );
  };

  it("hangs is killed at its deadline", async () => {
    await expect(run("setInterval(() => {}, 1000)", 300)).rejects.toThrow(
      "the cell list-x (odd) was killed after 0.3 s",
    );
  });

  it("crashes fails with its stderr", async () => {
    await expect(run("throw new Error('out of pods')")).rejects.toThrow("out of pods");
  });

  it("is killed by a signal fails with the signal's name", async () => {
    await expect(run("process.kill(process.pid, 'SIGKILL')")).rejects.toThrow(
      "the cell list-x (odd) exited with SIGKILL and printed no result",
    );
  });

  it("cannot be started fails with the system's error", async () => {
    const launch = { ...launchSources(), node: "/nowhere/node" };
    await expect(runCellProcess(launch, "list-floor", input)).rejects.toThrow("ENOENT");
  });
});

describe("the report", () => {
  it("takes ratios within a round", () => {
    expect(pairedRatio([1, 20, 3], [2, 40, 6])).toBe(0.5);
    expect(pairedRatio([1, undefined, 3], [2, 40, undefined])).toBe(0.5);
  });

  it("shows a row that has no result", () => {
    const tasks = planTasks(true).slice(0, 1);
    const results = tasks.map((task) => ({
      ...task,
      rows: task.rows.map((row) => ({ ...row, rounds: [undefined] })),
    }));
    expect(ratioTable(results)).toContain("TypeKube protobuf");
  });
});
