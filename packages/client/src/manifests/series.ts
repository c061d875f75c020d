import { KubeError } from "@typekube/core";
import type {
  AppliedObject,
  DeletedObject,
  FailedObject,
  SeriesOptions,
} from "./manifest-result.js";
import { reworded } from "./manifest-set.js";

type AnyResult = AppliedObject | DeletedObject | FailedObject;

/** The `cause` of an error about several manifests: each failure in `errors`, and what became of each manifest. */
interface SeriesFailure extends AggregateError {
  readonly results: readonly AnyResult[];
}

/** What became of each manifest, collected while a series runs. */
export class Series<R extends AppliedObject | DeletedObject> {
  readonly #results = new Map<number, FailedObject | R>();
  readonly #onResult: SeriesOptions<R>["onResult"];

  constructor({ onResult }: SeriesOptions<R>) {
    this.#onResult = onResult;
  }

  /** Notes a result; a later one of the same manifest takes its place. */
  note(result: FailedObject | R): void {
    this.#results.set(result.index, result);
    this.#onResult?.(result);
  }

  /** What became of each so far, in the order of the manifests. */
  get results(): (FailedObject | R)[] {
    return [...this.#results.values()].sort((a, b) => a.index - b.index);
  }
}

/**
 * The results where nothing failed, or where failures are to be reported.
 *
 * @throws {KubeError} as the first failure, with all of them in the `errors` of its cause, and all results.
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
  const cause = new AggregateError(failures, "the manifests that failed");
  throw reworded(first, how, Object.assign(cause, { results }) satisfies SeriesFailure);
}

/**
 * What became of each manifest, from the error that `applyAll` or `deleteAll` failed with, in the order of the manifests. Empty for
 * any other error.
 *
 * @example
 * const done = manifestResults(error).filter(({ outcome }) => outcome !== "failed");
 */
export function manifestResults(error: unknown): readonly AnyResult[] {
  const cause = error instanceof KubeError ? error.cause : undefined;
  return cause instanceof AggregateError && "results" in cause
    ? (cause as SeriesFailure).results
    : [];
}
