import type { PodTarget } from "../pod-target/pod-target.js";
import type { ExecOptions, ExecSessionOptions } from "./exec-options.js";
import { NotedProcess } from "./noted-process.js";
import { filterChain } from "./output-filter.js";
import type { SessionStart } from "./start-session.js";
import { terminator } from "./terminator.js";
import { verifyOutput } from "./verified-output.js";

/** Wraps a command as its options need it. Without them it stays as it is. */
export function wrapCommand(
  target: PodTarget,
  command: readonly string[],
  options: ExecOptions | ExecSessionOptions,
): Pick<SessionStart<number>, "command" | "filter" | "terminator"> {
  const { tty = false } = options as ExecSessionOptions;
  const noted =
    options.onAbort === "terminate"
      ? new NotedProcess(command, tty || options.stderr === false ? "stdout" : "stderr")
      : undefined;
  const inner = noted?.command ?? command;
  const verified = options.verifyOutput ? verifyOutput(inner) : undefined;
  return {
    command: verified?.command ?? inner,
    filter: verified && noted ? filterChain(verified.filter, noted) : (verified?.filter ?? noted),
    terminator: noted && terminator(target, noted, options),
  };
}
