import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "@typekube/core/internal";
import { processEnvironment } from "../process-environment.js";
import { systemProgram } from "./windows-system.js";

/** Milliseconds between asking a plugin to end and ending it. */
export const execKillGraceMs = 2_000;

/**
 * Ends a plugin with everything that it started: SIGTERM, and soon after SIGKILL.
 *
 * @param isGroup - whether it leads a process group. One that has the terminal does not: it would lose it.
 */
export function endPlugin(child: ChildProcess, isGroup: boolean, clock: Clock): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  const { pid } = child;
  if (pid === undefined) {
    return;
  }
  if (process.platform === "win32") {
    // Windows has no process groups: this ends the tree.
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

/** Returns false when the group has no members any more. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
