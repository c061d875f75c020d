import type { CredentialsRefreshed } from "@typekube/core/internal";

/** Kinds of plugin failures, for diagnostics. */
export type PluginFailure = NonNullable<CredentialsRefreshed["failure"]>;

// Stored beside the errors: they are ordinary KubeErrors, and their messages are for people.
const failures = new WeakMap<object, PluginFailure>();

/** Records the kind of failure for an error. */
export function asFailure<E extends Error>(failure: PluginFailure, error: E): E {
  failures.set(error, failure);
  return error;
}

/** Returns the recorded kind of failure. */
export function failureOf(error: unknown): PluginFailure | undefined {
  return typeof error === "object" && error !== null ? failures.get(error) : undefined;
}
