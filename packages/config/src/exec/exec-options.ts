import { type Clock, systemClock } from "@typekube/core/internal";
import type { Environment } from "../load-kubeconfig.js";
import { processEnvironment } from "../process-environment.js";
import type { ExecPolicy } from "./exec-policy.js";
import type { ExecStdin } from "./is-interactive.js";

/** Milliseconds that a plugin may take where nothing is said: kubelogin waits 180 s for somebody to log in. */
export const execPluginTimeoutMs = 300_000;

/** How exec plugins are run. */
export interface ExecOptions {
  /** Default `all`, as kubectl: whoever writes the kubeconfig says what runs. */
  readonly policy: ExecPolicy;
  readonly stdin: ExecStdin;
  /** Default `process.env`; what PATH is looked up in, and what plugins get. */
  readonly env: Environment;
  /** Default {@link execPluginTimeoutMs}; 0 is no limit. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Options with every default filled in. */
export function execOptions(
  given: {
    readonly [K in keyof ExecOptions]?: ExecOptions[K] | undefined;
  },
): ExecOptions {
  return {
    policy: given.policy ?? "all",
    stdin: given.stdin ?? {},
    env: given.env ?? processEnvironment(),
    timeoutMs: given.timeoutMs ?? execPluginTimeoutMs,
    clock: given.clock ?? systemClock,
  };
}
