import type { Lifecycle } from "./descriptor.js";
import { lifecycles } from "./generated/lifecycle.js";

/** The life of a kind in one group-version, by Kubernetes minor release ("1.25"). What is absent is not known, or does not happen. */
export interface KindLifecycle extends Lifecycle {
  readonly replacedBy?: {
    readonly apiVersion: string;
    readonly kind: string;
    /** The first release that serves it. */
    readonly since?: string;
  };
  /** What an object must change besides its apiVersion and kind. */
  readonly changes?: readonly string[];
}

/**
 * - `unborn`: the release does not have it yet
 * - `served`: it is served, and nothing is said against it
 * - `deprecated`: it is served and will be removed
 * - `removed`: it is served no more
 */
export type LifecycleStage = "deprecated" | "removed" | "served" | "unborn";

/**
 * What is known of the life of a kind without asking a server: since when it is deprecated, in which release it was or will be
 * removed, and what takes its place. Knows the built-in kinds of this package's release and those that earlier releases removed.
 *
 * @returns `undefined` for a kind that is no built-in one.
 *
 * @example
 * lifecycleOf({ apiVersion: "batch/v1beta1", kind: "CronJob" });
 * // { introduced: "1.8", deprecated: "1.21", removed: "1.25", replacedBy: { apiVersion: "batch/v1", kind: "CronJob", since: "1.21" } }
 */
export function lifecycleOf(object: {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}): KindLifecycle | undefined {
  // An empty document of a manifest is no object.
  const key = `${object?.apiVersion} ${object?.kind}`;
  return Object.hasOwn(lifecycles, key) ? lifecycles[key] : undefined;
}

/**
 * Where in its life a kind is in a release. A kind is removed when the release is the one that removes it, or later.
 *
 * @param release - a Kubernetes release: `1.25`, `v1.25.3`; text, since the number 1.30 is 1.3.
 * @throws {RangeError} for what is no release.
 *
 * @example
 * lifecycleStage({ apiVersion: "batch/v1beta1", kind: "CronJob" }, "1.24"); // "deprecated"
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
          ? "unborn"
          : "served";
}

/** Releases of one major version: there has been no other. */
function minorOf(release: string): number {
  const match = typeof release === "string" && /^v?1\.(\d+)(?![\w])/.exec(release);
  if (!match) {
    throw new RangeError(`"${release}" is no Kubernetes release`);
  }
  return Number(match[1]);
}
