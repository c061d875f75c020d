import { isatty } from "node:tty";
import { KubeError } from "@typekube/core";
import type { ExecInteractiveMode } from "./exec-plugin.js";

/** State of this process's standard input, as far as it concerns exec plugins. */
export interface ExecStdin {
  /** `true` when standard input is a terminal. Default: detected. */
  readonly isTerminal?: boolean | undefined;
  /** Marks standard input as used by other code, and names it in errors: `"used by apply -f -"`. */
  readonly unavailable?: string | undefined;
}

/**
 * Returns true when a plugin gets the terminal.
 *
 * @throws {KubeError} `Config` when the plugin requires a terminal and none is available.
 */
export function isInteractive(mode: ExecInteractiveMode, stdin: ExecStdin): boolean {
  if (mode === "Never") {
    return false;
  }
  const isTerminal = stdin.isTerminal ?? isatty(0);
  const isFree = stdin.unavailable === undefined;
  if (mode === "Always" && !(isTerminal && isFree)) {
    const why = isFree ? "standard input is not a terminal" : "standard input is unavailable";
    const who = stdin.unavailable ? ` (${stdin.unavailable})` : "";
    throw new KubeError("Config", `the exec plugin needs a terminal, and ${why}${who}`);
  }
  return isTerminal && isFree;
}
