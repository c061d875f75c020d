import type { Lifecycle } from "./descriptor.js";
import { lifecycles } from "./generated/lifecycle.js";

/**
 * Lifecycle of a kind in one group-version, by Kubernetes minor release ("1.25"). An absent stage is unknown or does
 * not happen.
 */
export interface KindLifecycle extends Lifecycle {
  readonly replacedBy?: {
    readonly apiVersion: string;
    readonly kind: string;
    /** First release that serves the replacement. */
    readonly since?: string;
  };
  /** Changes that an object needs beyond its apiVersion and kind. */
  readonly changes?: readonly string[];
}

/**
 * - `unreleased`: the release does not have the kind yet
 * - `served`: the kind is served and not deprecated
 * - `deprecated`: the kind is served but deprecated
 * - `removed`: the kind is no longer served
 */
export type LifecycleStage = "deprecated" | "removed" | "served" | "unreleased";

/**
 * Returns the lifecycle of a kind without a request to a server: the releases that introduced, deprecated and removed
 * it (or will), and its replacement. Covers the built-in kinds of this package's release and the kinds that earlier
 * releases removed.
 *
 * @returns `undefined` for a kind that is not built in.
 *
 * @example
 * ```ts
 * lifecycleOf({ apiVersion: "batch/v1beta1", kind: "CronJob" });
 * // { introduced: "1.8", deprecated: "1.21", removed: "1.25", replacedBy: { apiVersion: "batch/v1", kind: "CronJob", since: "1.21" } }
 * ```
 */
export function lifecycleOf(object: {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}): KindLifecycle | undefined {
  // An empty manifest document has no object.
  const key = `${object?.apiVersion} ${object?.kind}`;
  return Object.hasOwn(lifecycles, key) ? lifecycles[key] : undefined;
}

/**
 * Returns the lifecycle stage of a kind in a release; `undefined` for a kind that is not built in. A kind counts as
 * removed from the release that removes it onwards.
 *
 * @param release - a Kubernetes release as text: `1.25`, `v1.25.3`. As a number, 1.30 would be 1.3.
 * @throws {RangeError} when `release` is not a Kubernetes release.
 *
 * @example
 * ```ts
 * lifecycleStage({ apiVersion: "batch/v1beta1", kind: "CronJob" }, "1.24"); // "deprecated"
 * ```
 */
export function lifecycleStage(
  object: { readonly apiVersion?: string | undefined; readonly kind?: string | undefined },
  release: string,
): LifecycleStage | undefined {
  const life = lifecycleOf(object);
  const minor = minorOf(release);
  const has = (stage: string | undefined) => stage !== undefined && minor >= minorOf(stage);
  return life === undefined
    ? undefined
    : has(life.removed)
      ? "removed"
      : has(life.deprecated)
        ? "deprecated"
        : life.introduced !== undefined && !has(life.introduced)
          ? "unreleased"
          : "served";
}

/** Returns the minor version. The only major version so far is 1. */
function minorOf(release: string): number {
  const match = typeof release === "string" && /^v?1\.(\d+)(?![\w])/.exec(release);
  if (!match) {
    throw new RangeError(
      `"${release}" is not a Kubernetes release: expected a release such as "1.37"`,
    );
  }
  return Number(match[1]);
}
