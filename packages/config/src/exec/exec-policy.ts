import { isAbsolute, normalize } from "node:path";
import { ConfigProblem, configError } from "../config-problem.js";
import { isOnOtherComputer } from "../other-computer.js";

/** A plugin that is about to run. */
export interface ExecCommand {
  /** As the kubeconfig names it; with a separator it is absolute. */
  readonly command: string;
  /** The file that will run: absolute. */
  readonly path: string;
  /** Arguments that the kubeconfig gives it. */
  readonly args: readonly string[];
  /** Environment variables that the kubeconfig adds. */
  readonly env: Readonly<Record<string, string>>;
}

/** An entry of a list of allowed plugins. */
export interface AllowedCommand {
  /** A name for PATH, or an absolute path. */
  readonly command: string;
  /**
   * Names of the environment variables that a kubeconfig may set for it, or `all`. Default: none, since `NODE_OPTIONS`, `BASH_ENV`,
   * `LD_PRELOAD` and others run code of the kubeconfig's author inside of an allowed program.
   */
  readonly env?: "all" | readonly string[] | undefined;
  /** The arguments that a kubeconfig must give it, exactly. Default: any. */
  readonly args?: readonly string[] | undefined;
}

/**
 * Which exec plugins may run: all, none, those in a list (a string is a command without environment variables), or those that a
 * function returns true for.
 */
export type ExecPolicy =
  | "all"
  | "none"
  | readonly (AllowedCommand | string)[]
  | ((command: ExecCommand) => boolean);

/**
 * Returns why a command is refused before its file is looked for. Looking at a file of another computer has an effect: Windows logs
 * the user in to that computer, whose owner can then try the password.
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
 * Returns why a plugin may not run, `undefined` if it may. A name in a list stands for the file that PATH has under it and for no
 * other of that name.
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
  return `the exec plugin ${command} may not be run (execPlugins)`;
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

/** Values of variables and arguments may be secrets, so only names are shown. */
function detailRefusal(
  allowed: AllowedCommand,
  { path, args, env }: ExecCommand,
): string | undefined {
  const names = allowed.env === "all" ? undefined : new Set(allowed.env ?? []);
  const others = Object.keys(env).filter((name) => names && !names.has(name));
  if (others.length > 0) {
    const list = others.map((name) => JSON.stringify(name)).join(", ");
    return `the exec plugin ${path} may not be run with the environment variables ${list} (execPlugins)`;
  }
  const isOther =
    allowed.args !== undefined &&
    (allowed.args.length !== args.length || allowed.args.some((arg, at) => arg !== args[at]));
  return isOther
    ? `the exec plugin ${path} may not be run with these arguments (execPlugins)`
    : undefined;
}

/**
 * Refuses policies that cannot mean what they say.
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
    yield 'execPlugins must be "all", "none", a function or a list with at least one command';
    return;
  }
  for (const entry of policy as unknown[]) {
    yield* entryProblems(entry);
  }
}

function* entryProblems(entry: unknown): Generator<string> {
  const { command, env, args } =
    typeof entry === "object" && entry !== null
      ? (entry as Record<string, unknown>)
      : { command: entry };
  if (typeof command !== "string" || command === "" || command === "." || command === "..") {
    yield `execPlugins has an entry that is not a command: ${JSON.stringify(command) ?? typeof command}`;
  } else if (isPath(command) && (!isAbsolute(command) || normalize(command) !== command)) {
    yield `execPlugins: "${command}" must be a name or an absolute path in its shortest form`;
  }
  if (env !== undefined && env !== "all" && !isTexts(env)) {
    yield `execPlugins: env of ${JSON.stringify(command)} must be "all" or a list of names`;
  }
  if (args !== undefined && !isTexts(args)) {
    yield `execPlugins: args of ${JSON.stringify(command)} must be a list of texts`;
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isPath(command: string): boolean {
  return /[/\\]/.test(command);
}
