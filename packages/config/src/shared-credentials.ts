import { createHash } from "node:crypto";
import type { Credentials } from "@typekube/transport";
import type { Environment } from "./load-kubeconfig.js";
import { processEnvironment } from "./process-environment.js";

/** Credentials of this process by their whole source; those that nobody uses any more may be collected. */
const shared = new Map<string, WeakRef<Credentials>>();

/**
 * The credentials of a source, the same ones for everybody in this process who names the same source, so that ten clients
 * of a cluster make somebody log in once, and never those of another source.
 *
 * @param parts - everything that tells one source from another: plain values only.
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

/** A hash: what tells sources apart holds secrets, and keys of a map show in a debugger. */
export function sourceKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** What tells one environment from another. The process's own is one, whatever becomes of it. */
export function environmentParts(env: Environment): unknown {
  return env === processEnvironment()
    ? null
    : Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** A number for what can only be told apart by identity: a function, a clock. */
export function identityOf(object: object): number {
  let id = ids.get(object);
  if (id === undefined) {
    lastId += 1;
    id = lastId;
    ids.set(object, id);
  }
  return id;
}
