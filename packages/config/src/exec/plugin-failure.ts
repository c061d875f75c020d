import type { CredentialsRefreshed } from "@typekube/core/internal";

/** How getting credentials from a plugin failed, for statistics. */
export type PluginFailure = NonNullable<CredentialsRefreshed["failure"]>;

// Beside the errors and not on them: they are KubeErrors like any other, and their texts are for people.
const failures = new WeakMap<object, PluginFailure>();

/** Notes what kind of failure an error is. */
export function asFailure<E extends Error>(failure: PluginFailure, error: E): E {
  failures.set(error, failure);
  return error;
}

/** The kind that was noted. */
export function failureOf(error: unknown): PluginFailure | undefined {
  return typeof error === "object" && error !== null ? failures.get(error) : undefined;
}
