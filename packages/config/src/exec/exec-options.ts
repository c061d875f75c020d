import { type Clock, systemClock } from "@typekube/core/internal";
import type { Environment } from "../environment/environment.js";
import { processEnvironment } from "../environment/process-environment.js";
import type { ExecPolicy } from "./exec-policy.js";
import type { ExecStdin } from "./is-interactive.js";

/** Default timeout of a plugin run in milliseconds: kubelogin waits 180 s for a login. */
export const execPluginTimeoutMs = 300_000;

/** Options for running exec plugins. */
export interface ExecOptions {
  /** Plugins that may run. Default `all`, as in kubectl: the author of the kubeconfig decides. */
  readonly policy: ExecPolicy;
  readonly stdin: ExecStdin;
  /** Environment in which PATH is looked up, and which plugins inherit. Default `process.env`. */
  readonly env: Environment;
  /** Timeout of a run in milliseconds. Default {@link execPluginTimeoutMs}; 0 is no limit. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Fills in the defaults of exec options. */
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
