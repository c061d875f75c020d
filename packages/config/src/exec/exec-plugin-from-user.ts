import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { KubeconfigEntry, KubeconfigExec, KubeconfigUser } from "../kubeconfig/kubeconfig.js";
import { type ExecInteractiveMode, type ExecPlugin, execApiVersions } from "./exec-plugin.js";

const interactiveModes: readonly ExecInteractiveMode[] = ["Always", "IfAvailable", "Never"];

/**
 * Yields the problems of a user's exec stanza, one line each. Of the values, only the apiVersion and the mode are
 * quoted.
 */
export function* execProblems(name: string, exec: KubeconfigExec): Generator<string> {
  const user = `the user "${name}" has an exec plugin`;
  if (!exec.command) {
    yield `${user} without a command`;
  }
  if (!exec.apiVersion) {
    yield `${user} without an apiVersion`;
  } else if (!isKnownVersion(exec.apiVersion)) {
    yield `${user} with apiVersion "${exec.apiVersion}"; supported are ${execApiVersions.join(" and ")}`;
  }
  if (exec.env?.some((variable) => !variable.name)) {
    yield `${user} with an environment variable without a name`;
  }
  const mode = exec.interactiveMode;
  if (mode && !isMode(mode)) {
    yield `${user} with interactiveMode "${mode}"; it must be one of ${interactiveModes.join(", ")}`;
  } else if (!mode && exec.apiVersion === execApiVersions[0]) {
    yield `${user} without interactiveMode, which ${execApiVersions[0]} needs`;
  }
}

/**
 * Returns the exec plugin of a user.
 *
 * @throws {KubeError} `Config` with all problems of the stanza.
 */
export function execPluginFromUser(
  { name }: KubeconfigEntry<KubeconfigUser>,
  exec: KubeconfigExec,
): ExecPlugin {
  const { apiVersion, command, interactiveMode } = exec;
  const mode = interactiveMode || "IfAvailable";
  const problems = [...execProblems(name, exec)];
  if (
    problems.length > 0 ||
    !command ||
    !apiVersion ||
    !isKnownVersion(apiVersion) ||
    !isMode(mode)
  ) {
    throw configError(problems.map((problem) => new ConfigProblem("Invalid", problem)));
  }
  return {
    apiVersion,
    command,
    args: exec.args ?? [],
    env: Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value ?? ""])),
    interactiveMode: mode,
    provideClusterInfo: exec.provideClusterInfo ?? false,
    installHint: exec.installHint ?? undefined,
  };
}

function isKnownVersion(version: string): version is ExecPlugin["apiVersion"] {
  return (execApiVersions as readonly string[]).includes(version);
}

function isMode(mode: string): mode is ExecInteractiveMode {
  return (interactiveModes as readonly string[]).includes(mode);
}
