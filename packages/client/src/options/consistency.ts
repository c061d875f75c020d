import { KubeError } from "@typekube/core";
import { assertIsOptions } from "./call-options.js";
import type { Consistency, ListState, ListVersion } from "./read-state.js";

/** The options that select the state that a read returns. */
interface Versioned {
  readonly consistency?: Consistency | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly continue?: string | undefined;
}

/**
 * Translates `consistency` into `resourceVersion` and `resourceVersionMatch`.
 *
 * @throws {KubeError} `InvalidArgument` when both forms are given, or for an invalid resourceVersion.
 */
export function versionedOptions<O extends Versioned>(
  options: O,
): Omit<O, keyof ListState> & ListVersion {
  assertIsOptions(options);
  const { consistency, ...rest } = options;
  if (consistency === undefined) {
    return rest as Omit<O, "consistency"> & ListVersion;
  }
  if (options.resourceVersion !== undefined || options.resourceVersionMatch !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      "consistency: cannot be combined with resourceVersion or resourceVersionMatch",
    );
  }
  // A continue token already selects the state of the first page.
  const version = options.continue ? {} : versionOf(consistency);
  return { ...rest, resourceVersion: undefined, resourceVersionMatch: undefined, ...version };
}

/**
 * Returns the `resourceVersion` for a get, which has no exact match.
 *
 * @throws {KubeError} `InvalidArgument` like {@link versionedOptions}, and for an exact resourceVersion.
 */
export function versionOfGet(options: Versioned): string | undefined {
  const { resourceVersion, resourceVersionMatch } = versionedOptions(options);
  if (resourceVersionMatch === "Exact") {
    throw new KubeError(
      "InvalidArgument",
      "consistency: a single object cannot be read at an older resourceVersion",
      {
        hint: "use notOlderThan, or list with a field selector and exact",
      },
    );
  }
  return resourceVersion;
}

function versionOf(consistency: Consistency): ListVersion {
  if (consistency === "latest") {
    return {};
  }
  if (consistency === "any") {
    return { resourceVersion: "0" };
  }
  const { notOlderThan, exact } = (consistency ?? {}) as {
    readonly notOlderThan?: unknown;
    readonly exact?: unknown;
  };
  const version = notOlderThan ?? exact;
  const isOne = (notOlderThan === undefined) !== (exact === undefined);
  if (!isOne || typeof version !== "string" || version === "" || version === "0") {
    throw new KubeError(
      "InvalidArgument",
      'consistency: must be "latest", "any", { notOlderThan: version } or { exact: version }',
      { hint: "use metadata.resourceVersion of an object or list that a server returned" },
    );
  }
  return exact === undefined
    ? { resourceVersion: version, resourceVersionMatch: "NotOlderThan" }
    : { resourceVersion: version, resourceVersionMatch: "Exact" };
}
