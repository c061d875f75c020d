import type { Waiters } from "../credentials/shared-run.js";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { ExecOptions } from "./exec-options.js";
import type { ExecCluster, ExecPlugin } from "./exec-plugin.js";
import { checkPolicy, earlyRefusalOf, refusalOf } from "./exec-policy.js";
import type { ExecSource } from "./exec-source.js";
import { findCommand } from "./find-command.js";
import { isInteractive } from "./is-interactive.js";
import { parseExecOutput } from "./parse-exec-output.js";
import { asFailure } from "./plugin-failure.js";
import { type ExecCredential, readExecCredential } from "./read-exec-credential.js";
import { secretVariables } from "./redact-output.js";
import { runPlugin } from "./run-plugin.js";

/**
 * Runs a plugin once and reads its output.
 *
 * @param mayHint - called when the program is missing; returns whether the error includes the install hint.
 * @throws {KubeError} `Config`, `DeadlineExceeded`, `TooLarge`, or the signal's reason.
 */
export async function obtainCredential(
  { plugin, cluster }: ExecSource,
  options: ExecOptions,
  waiters: Waiters,
  mayHint: () => boolean,
): Promise<ExecCredential> {
  const { policy, stdin, env, timeoutMs, clock } = options;
  checkPolicy(policy);
  const interactive = isInteractive(plugin.interactiveMode, stdin);
  refuse(earlyRefusalOf(policy, plugin.command));
  const path = await findCommand(plugin.command, env);
  if (path === undefined) {
    throw asFailure("missing", missing(plugin, mayHint));
  }
  const wanted = { command: plugin.command, path, args: plugin.args, env: plugin.env };
  refuse(await refusalOf(policy, wanted, (name) => findCommand(name, env)));
  waiters.signal.throwIfAborted();
  const output = await runPlugin({
    path,
    args: plugin.args,
    env,
    variables: { ...plugin.env, KUBERNETES_EXEC_INFO: execInfo(plugin, cluster, interactive) },
    secrets: [...Object.values(plugin.env), ...secretVariables(env)],
    interactive,
    timeoutMs,
    clock,
    waiters,
  });
  try {
    return readExecCredential(await parseExecOutput(output), plugin.apiVersion, path);
  } catch (error) {
    throw asFailure("output", error as Error);
  }
}

function refuse(refusal: string | undefined): void {
  if (refusal !== undefined) {
    throw asFailure(
      "denied",
      configError(
        [new ConfigProblem("Invalid", refusal)],
        "add it to execPlugins if you trust the kubeconfig that names it: { command, env: [names], args }",
      ),
    );
  }
}

/** Returns the request that plugins find in `KUBERNETES_EXEC_INFO`. */
function execInfo(plugin: ExecPlugin, cluster: ExecCluster, interactive: boolean): string {
  return JSON.stringify({
    kind: "ExecCredential",
    apiVersion: plugin.apiVersion,
    spec: { ...(plugin.provideClusterInfo ? { cluster } : {}), interactive },
  });
}

function missing(plugin: ExecPlugin, mayHint: () => boolean): Error {
  const where = /[/\\]/.test(plugin.command) ? "does not exist" : "is not in PATH";
  const text = `the exec plugin ${plugin.command} ${where} or is not a program`;
  const hint = plugin.installHint && mayHint() ? plugin.installHint : undefined;
  return configError([new ConfigProblem("FileMissing", text)], hint);
}
