import type { Environment } from "./environment.js";

/**
 * Returns the environment variables of this process, always as the same object. Deno throws `NotCapable` for each
 * variable that `--allow-env` does not name; such a variable counts as unset, so that `connect({ server, token })`
 * works without the permission.
 */
export function processEnvironment(): Environment {
  return process.versions["deno"] === undefined ? process.env : ofDeno;
}

/** Returns a view of an environment in which unreadable variables are unset. Exported for tests. */
export function readableEnvironment(env: Environment): Environment {
  const target: Record<string, string | undefined> = {};
  // The target is empty, since a proxy validates its traps against the target, and access to Deno's environment would
  // throw.
  return new Proxy(target, {
    get: (_target, name) => attempt(() => Reflect.get(env, name)),
    has: (_target, name) => attempt(() => Reflect.has(env, name)) ?? false,
    ownKeys: () => attempt(() => Reflect.ownKeys(env)) ?? [],
    getOwnPropertyDescriptor(_target, name) {
      const value: unknown = attempt(() => Reflect.get(env, name));
      return value === undefined
        ? undefined
        : { value, enumerable: true, configurable: true, writable: false };
    },
  });
}

const ofDeno = readableEnvironment(process.env);

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
