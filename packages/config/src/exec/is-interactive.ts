import { isatty } from "node:tty";
import { KubeError } from "@typekube/core";
import type { ExecInteractiveMode } from "./exec-plugin.js";

/** The standard input of this process, as far as plugins may have it. */
export interface ExecStdin {
  /** Whether it is a terminal. Default: asked of the process. */
  readonly isTerminal?: boolean | undefined;
  /** Says that somebody else reads it, and who: `"used by apply -f -"`. */
  readonly unavailable?: string | undefined;
}

/**
 * Whether a plugin gets the terminal.
 *
 * @throws {KubeError} `Config` when it cannot do without and there is none.
 */
export function isInteractive(mode: ExecInteractiveMode, stdin: ExecStdin): boolean {
  if (mode === "Never") {
    return false;
  }
  const isTerminal = stdin.isTerminal ?? isatty(0);
  const isFree = stdin.unavailable === undefined;
  if (mode === "Always" && !(isTerminal && isFree)) {
    const why = isFree ? "standard input is no terminal" : "standard input is unavailable";
    const who = stdin.unavailable ? ` (${stdin.unavailable})` : "";
    throw new KubeError("Config", `the exec plugin needs a terminal, and ${why}${who}`);
  }
  return isTerminal && isFree;
}
