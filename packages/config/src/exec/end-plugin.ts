import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "@typekube/core/internal";
import { processEnvironment } from "../environment/process-environment.js";
import { systemProgram } from "./windows-system.js";

/** Milliseconds between SIGTERM and SIGKILL when a plugin is terminated. */
export const execKillGraceMs = 2_000;

/**
 * Terminates a plugin with all processes that it started: SIGTERM, then SIGKILL after {@link execKillGraceMs}.
 *
 * @param isGroup - `true` when the plugin leads a process group. A plugin that uses the terminal does not, since a new
 * group would lose the terminal; only its own process is terminated.
 */
export function endPlugin(child: ChildProcess, isGroup: boolean, clock: Clock): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  const { pid } = child;
  if (pid === undefined) {
    return;
  }
  if (process.platform === "win32") {
    // Windows has no process groups; taskkill terminates the process tree.
    const taskkill = systemProgram("taskkill.exe", processEnvironment());
    spawn(taskkill, ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true })
      .on("error", () => child.kill())
      .unref();
    return;
  }
  const signal = (name: NodeJS.Signals) => (isGroup ? signalGroup(pid, name) : child.kill(name));
  if (!signal("SIGTERM")) {
    return;
  }
  const cancel = clock.schedule(execKillGraceMs, () => signal("SIGKILL"), isGroup);
  if (!isGroup) {
    child.on("exit", cancel);
  }
}

/** Returns false when the group has no processes left. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
