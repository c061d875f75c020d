import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measureFailover } from "../src/failover.js";
import { launchSources } from "../src/launch.js";

const input = { url: "", count: 1, variant: "" };
const settleMs = 20;

/** Measures candidates that are this program; `lock` is a file that the leader has. */
function measured(program: string, how: "kill" | "release") {
  const folder = mkdtempSync(join(tmpdir(), "bench-failover-"));
  const file = join(folder, "candidate.mjs");
  writeFileSync(
    file,
    `import { rmSync, watch, writeFileSync, existsSync } from "node:fs";
     const lock = ${JSON.stringify(join(folder, "lock"))};
     const say = (event) => console.log(JSON.stringify({ event }));
     process.on("disconnect", () => process.exit());
     ${program}`,
  );
  const launch = { ...launchSources(), nodeArguments: [], file: () => file };
  return measureFailover(launch, "controller-failover-typekube", input, how, settleMs);
}

const elect = `
  const attempt = () => {
    try { writeFileSync(lock, "", { flag: "wx" }); say("run"); } catch { setTimeout(attempt, 5); }
  };
  attempt();
  say("candidate");`;

describe("fail-over", () => {
  it("is the time from the leader's end to the first run of the other candidate", async () => {
    const release = `process.on("SIGTERM", () => { rmSync(lock); process.exit(); }); ${elect}`;
    const { wallMs, count } = await measured(release, "release");
    expect(wallMs).toBeGreaterThan(0);
    expect(count).toBe(1);
  });

  it("kills the leader without a warning", async () => {
    // SIGTERM would end nothing; the lock of a process that is gone can be taken.
    const expire = `process.on("SIGTERM", () => {});
      const alive = (id) => { try { process.kill(id, 0); return true; } catch { return false; } };
      const { readFileSync } = await import("node:fs");
      const attempt = () => {
        if (existsSync(lock) && alive(Number(readFileSync(lock, "utf8")))) { setTimeout(attempt, 5); return; }
        writeFileSync(lock, String(process.pid)); say("run");
      };
      attempt();
      say("candidate");`;
    expect((await measured(expire, "kill")).count).toBe(1);
  });

  it("fails when both candidates lead, and when one exits", async () => {
    await expect(
      measured(`say("run"); say("candidate"); setInterval(() => {}, 100);`, "kill"),
    ).rejects.toThrow("both candidates lead");
    await expect(measured(`throw new Error("no Lease")`, "kill")).rejects.toThrow("no Lease");
  });
});
