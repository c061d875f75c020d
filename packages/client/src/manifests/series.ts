import { KubeError } from "@typekube/core";
import type { SeriesOptions } from "../options/manifest-options.js";
import type { AppliedObject, DeletedObject, FailedObject } from "../response/manifest-result.js";
import { reworded } from "./manifest-set.js";

type AnyResult = AppliedObject | DeletedObject | FailedObject;

/** The `cause` of an error about several manifests: each failure in `errors`, and the outcome for each manifest. */
interface SeriesFailure extends AggregateError {
  readonly results: readonly AnyResult[];
}

/** Collects the outcome for each manifest while a series runs. */
export class Series<R extends AppliedObject | DeletedObject> {
  readonly #results = new Map<number, FailedObject | R>();
  readonly #onResult: SeriesOptions<R>["onResult"];

  constructor({ onResult }: SeriesOptions<R>) {
    this.#onResult = onResult;
  }

  /** Records a result. It replaces an earlier result of the same manifest. */
  note(result: FailedObject | R): void {
    this.#results.set(result.index, result);
    this.#onResult?.(result);
  }

  /** The outcomes so far, in the order of the manifests. */
  get results(): (FailedObject | R)[] {
    return [...this.#results.values()].sort((a, b) => a.index - b.index);
  }
}

/**
 * Returns the results when nothing failed, or when failures are to be reported.
 *
 * @throws {KubeError} the first failure, with all failures in the `errors` of its cause, and all results.
 */
export function settled<R extends AppliedObject | DeletedObject>(
  { results }: Series<R>,
  { onFailure = "throw" }: SeriesOptions<R>,
): (FailedObject | R)[] {
  const failures = results.flatMap((result) => (result.outcome === "failed" ? [result.error] : []));
  const [first] = failures;
  if (first === undefined || onFailure === "report") {
    return results;
  }
  const how =
    failures.length === 1 ? "" : `${failures.length} of ${results.length} manifests failed; `;
  const cause = new AggregateError(failures, "some manifests failed");
  throw reworded(first, how, Object.assign(cause, { results }) satisfies SeriesFailure);
}

/**
 * Returns the outcome for each manifest, in the order of the manifests, from the error that `applyAll`, `applyAndPrune`
 * or `deleteAll` failed with. Empty for any other error.
 *
 * @example
 * ```ts
 * const done = manifestResults(error).filter(({ outcome }) => outcome !== "failed");
 * ```
 */
export function manifestResults(error: unknown): readonly AnyResult[] {
  const cause = error instanceof KubeError ? error.cause : undefined;
  return cause instanceof AggregateError && "results" in cause
    ? (cause as SeriesFailure).results
    : [];
}
