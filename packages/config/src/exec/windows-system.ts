import { win32 } from "node:path";
import type { Environment } from "../environment/environment.js";

/**
 * Returns the path of a Windows system program. For a bare name Windows would search the current folder first, and
 * `ComSpec` may come from a kubeconfig.
 */
export function systemProgram(name: string, env: Environment): string {
  const root = variableOf(env, "SystemRoot", "win32") ?? "";
  return win32.join(win32.isAbsolute(root) ? root : "C:\\Windows", "System32", name);
}

/** Returns a variable, on Windows regardless of case: copies of `process.env` are case-sensitive. */
export function variableOf(
  env: Environment,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  const value = env[name];
  if (value !== undefined || platform !== "win32") {
    return value;
  }
  const key = Object.keys(env).find((other) => other.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/**
 * Returns an environment with additional variables, which replace those of the same name. On Windows, names that differ
 * only in case are the same variable; Node would keep the first in alphabetical order.
 */
export function withVariables(
  env: Environment,
  more: Environment,
  platform: NodeJS.Platform,
): Record<string, string | undefined> {
  if (platform !== "win32") {
    return { ...env, ...more };
  }
  const entries = new Map<string, readonly [name: string, value: string | undefined]>();
  for (const [name, value] of [...Object.entries(env), ...Object.entries(more)]) {
    entries.set(name.toUpperCase(), [name, value]);
  }
  return Object.fromEntries(entries.values());
}
