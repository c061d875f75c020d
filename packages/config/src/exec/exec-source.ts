import { environmentParts, identityOf } from "../credentials/shared-credentials.js";
import type { ExecOptions } from "./exec-options.js";
import type { ExecCluster, ExecPlugin } from "./exec-plugin.js";

/** A plugin and the cluster that it provides credentials for. */
export interface ExecSource {
  readonly plugin: ExecPlugin;
  readonly cluster: ExecCluster;
}

/** Returns the values that identify a plugin's credentials: two sources with equal values can share them. */
export function execSourceParts({ plugin, cluster }: ExecSource, options: ExecOptions): unknown {
  const { policy, stdin, env, timeoutMs, clock } = options;
  return [
    "exec",
    plugin,
    cluster,
    typeof policy === "function" ? identityOf(policy) : policy,
    [stdin.isTerminal ?? null, stdin.unavailable ?? null],
    environmentParts(env),
    timeoutMs,
    identityOf(clock),
  ];
}
