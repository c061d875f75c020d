import { isAbsolute, normalize } from "node:path";
import { isOnOtherComputer } from "../environment/other-computer.js";
import { ConfigProblem, configError } from "../errors/config-problem.js";

/** An exec plugin that is about to run. */
export interface ExecCommand {
  /** Command from the kubeconfig; absolute when it contains a path separator. */
  readonly command: string;
  /** Absolute path of the file that will run. */
  readonly path: string;
  /** Arguments from the kubeconfig. */
  readonly args: readonly string[];
  /** Environment variables that the kubeconfig adds. */
  readonly env: Readonly<Record<string, string>>;
}

/** An allowed plugin, with the arguments and environment variables that a kubeconfig may give it. */
export interface AllowedCommand {
  /** Program name to look up in PATH, or an absolute path. */
  readonly command: string;
  /**
   * Environment variables that a kubeconfig may set for the plugin, or `all`. Default: none, since `NODE_OPTIONS`,
   * `BASH_ENV`, `LD_PRELOAD` and others run code of the kubeconfig's author inside an allowed program.
   */
  readonly env?: "all" | readonly string[] | undefined;
  /** Arguments that the kubeconfig must pass, exactly. Default: any arguments. */
  readonly args?: readonly string[] | undefined;
}

/**
 * Exec plugins that may run: `all`, `none`, those in a list (a string allows a command without environment variables),
 * or those for which a function returns true.
 */
export type ExecPolicy =
  | "all"
  | "none"
  | readonly (AllowedCommand | string)[]
  | ((command: ExecCommand) => boolean);

/**
 * Returns the reason to refuse a command before its file is looked up. Merely accessing a file on another computer
 * makes Windows log the user in to that computer, whose owner can then try to crack the password.
 */
export function earlyRefusalOf(
  policy: ExecPolicy,
  command: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const isRefused =
    policy === "none" ||
    (Array.isArray(policy) &&
      isOnOtherComputer(command, platform) &&
      !policy.some((entry) => commandOf(entry) === command));
  return isRefused ? refusalText(command) : undefined;
}

/**
 * Returns the reason why a plugin may not run, or `undefined` if it may. A listed name matches only the file found for
 * it in PATH, not other files of that name.
 *
 * @param lookUp - finds a name in PATH.
 */
export async function refusalOf(
  policy: ExecPolicy,
  wanted: ExecCommand,
  lookUp: (name: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const refused = refusalText(wanted.path);
  if (typeof policy === "function") {
    return policy(wanted) ? undefined : refused;
  }
  if (typeof policy === "string") {
    return policy === "all" ? undefined : refused;
  }
  let closest = refused;
  for (const entry of policy) {
    const allowed = typeof entry === "string" ? { command: entry } : entry;
    if (await isSameCommand(commandOf(entry), wanted, lookUp)) {
      const refusal = detailRefusal(allowed, wanted);
      if (refusal === undefined) {
        return undefined;
      }
      closest = refusal;
    }
  }
  return closest;
}

function refusalText(command: string): string {
  return `execPlugins does not allow the exec plugin ${command}`;
}

function commandOf(entry: AllowedCommand | string): string {
  return typeof entry === "string" ? entry : entry.command;
}

async function isSameCommand(
  command: string,
  wanted: ExecCommand,
  lookUp: (name: string) => Promise<string | undefined>,
): Promise<boolean> {
  if (command === wanted.command || command === wanted.path) {
    return true;
  }
  return !isPath(command) && (await lookUp(command)) === wanted.path;
}

/** Shows only names, since the values of variables and arguments may be secrets. */
function detailRefusal(
  allowed: AllowedCommand,
  { path, args, env }: ExecCommand,
): string | undefined {
  const names = allowed.env === "all" ? undefined : new Set(allowed.env ?? []);
  const others = Object.keys(env).filter((name) => names && !names.has(name));
  if (others.length > 0) {
    const list = others.map((name) => JSON.stringify(name)).join(", ");
    return `execPlugins does not allow the exec plugin ${path} with the environment variables ${list}`;
  }
  const isOther =
    allowed.args !== undefined &&
    (allowed.args.length !== args.length || allowed.args.some((arg, at) => arg !== args[at]));
  return isOther
    ? `execPlugins does not allow the exec plugin ${path} with these arguments`
    : undefined;
}

/** Returns true for a value that has the type of a policy. */
export function isExecPolicy(policy: unknown): policy is ExecPolicy {
  return (
    typeof policy === "function" ||
    policy === "all" ||
    policy === "none" ||
    (Array.isArray(policy) && policy.every(isAllowedCommand))
  );
}

function isAllowedCommand(entry: unknown): boolean {
  if (typeof entry === "string") {
    return true;
  }
  const { command, env, args } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof command === "string" &&
    (env === undefined || env === "all" || isTexts(env)) &&
    (args === undefined || isTexts(args))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/**
 * Rejects policies that can match nothing.
 *
 * @throws {KubeError} `Config` for an empty list, and for entries whose command is empty, a relative path or a path
 * that is not normalized.
 */
export function checkPolicy(policy: ExecPolicy): void {
  if (typeof policy === "function" || typeof policy === "string") {
    return;
  }
  const problems = [...policyProblems(policy)];
  if (problems.length > 0) {
    throw configError(problems.map((problem) => new ConfigProblem("Invalid", problem)));
  }
}

function* policyProblems(policy: readonly (AllowedCommand | string)[]): Generator<string> {
  if (policy.length === 0) {
    yield 'execPlugins: a list must name at least one command; "none" allows no plugin';
  }
  for (const command of policy.map(commandOf)) {
    if (command === "" || command === "." || command === "..") {
      yield `execPlugins: "${command}" is not a command`;
    } else if (isPath(command) && (!isAbsolute(command) || normalize(command) !== command)) {
      yield `execPlugins: "${command}" must be a name or a normalized absolute path`;
    }
  }
}

function isPath(command: string): boolean {
  return /[/\\]/.test(command);
}
