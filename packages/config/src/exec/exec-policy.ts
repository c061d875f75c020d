import { isAbsolute, normalize } from "node:path";
import { ConfigProblem, configError } from "../config-problem.js";

/** A plugin that is about to be run. */
export interface ExecCommand {
  /** As the kubeconfig names it; with a separator it is absolute. */
  readonly command: string;
  /** The file that will be run: absolute. */
  readonly path: string;
}

/**
 * Which exec plugins may run: all, none, those named (by a name for PATH or an absolute path), or those that a function
 * says yes to.
 */
export type ExecPolicy = "all" | "none" | readonly string[] | ((command: ExecCommand) => boolean);

/**
 * Whether a plugin may run. A name in a list stands for the file that PATH has under it and for no other of that name.
 *
 * @param lookUp - finds a name in PATH.
 */
export async function mayRun(
  policy: ExecPolicy,
  wanted: ExecCommand,
  lookUp: (name: string) => Promise<string | undefined>,
): Promise<boolean> {
  if (typeof policy === "function") {
    return policy(wanted);
  }
  if (typeof policy === "string") {
    return policy === "all";
  }
  for (const entry of policy) {
    if (entry === wanted.command || entry === wanted.path) {
      return true;
    }
    if (!isPath(entry) && (await lookUp(entry)) === wanted.path) {
      return true;
    }
  }
  return false;
}

/**
 * Refuses lists that cannot mean what they say.
 *
 * @throws {KubeError} `Config` for an empty list and for entries that are empty, relative paths or not in their shortest form.
 */
export function checkPolicy(policy: ExecPolicy): void {
  if (typeof policy === "function" || policy === "all" || policy === "none") {
    return;
  }
  const problems = [...policyProblems(policy)];
  if (problems.length > 0) {
    throw configError(problems.map((problem) => new ConfigProblem("Invalid", problem)));
  }
}

function* policyProblems(policy: unknown): Generator<string> {
  if (!Array.isArray(policy) || policy.length === 0) {
    yield 'execPlugins is neither "all" nor "none", a function or a list with at least one command';
    return;
  }
  for (const entry of policy as unknown[]) {
    if (typeof entry !== "string" || entry === "") {
      yield "execPlugins has an entry that is no command";
    } else if (isPath(entry) && (!isAbsolute(entry) || normalize(entry) !== entry)) {
      yield `execPlugins: "${entry}" is neither a name nor an absolute path in its shortest form`;
    } else if (entry === "." || entry === "..") {
      yield `execPlugins: "${entry}" is no command`;
    }
  }
}

function isPath(entry: string): boolean {
  return /[/\\]/.test(entry);
}
