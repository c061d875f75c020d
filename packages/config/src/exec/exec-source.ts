import { environmentParts, identityOf } from "../shared-credentials.js";
import type { ExecOptions } from "./exec-options.js";
import type { ExecCluster, ExecPlugin } from "./exec-plugin.js";

/** A plugin and the cluster that it makes credentials for. */
export interface ExecSource {
  readonly plugin: ExecPlugin;
  readonly cluster: ExecCluster;
}

/** Everything that tells the credentials of one plugin from those of another. */
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
