import { createHash } from "node:crypto";
import type { Credentials } from "@typekube/transport";
import type { Environment } from "../environment/environment.js";
import { processEnvironment } from "../environment/process-environment.js";

/** Credentials of this process by their source. Unused ones can be garbage collected. */
const shared = new Map<string, WeakRef<Credentials>>();

/**
 * Returns the credentials of a source. All callers in this process that name the same source share them, so that ten
 * clients of a cluster cause one login; different sources never share credentials.
 *
 * @param parts - all values that identify the source: plain values only.
 */
export function sharedCredentials(parts: unknown, make: () => Credentials): Credentials {
  const key = sourceKey(parts);
  const known = shared.get(key)?.deref();
  if (known) {
    return known;
  }
  for (const [other, credentials] of shared) {
    if (credentials.deref() === undefined) {
      shared.delete(other);
    }
  }
  const made = make();
  shared.set(key, new WeakRef(made));
  return made;
}

/** Returns a hash of the source: it contains secrets, and the keys of a map are visible in a debugger. */
export function sourceKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Returns the values that identify an environment. The process's own environment is one source, even when it changes. */
export function environmentParts(env: Environment): unknown {
  return env === processEnvironment()
    ? null
    : Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** Returns a number for an object that only its identity distinguishes: a function or a clock. */
export function identityOf(object: object): number {
  let id = ids.get(object);
  if (id === undefined) {
    lastId += 1;
    id = lastId;
    ids.set(object, id);
  }
  return id;
}
