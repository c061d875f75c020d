import type { CelLibrary } from "../functions/library.js";
import { standardLibrary } from "../libraries/standard/standard-library.js";

/** Whether an expression is new or was accepted before; see `CelEnvOptions.mode`. */
export type ExpressionMode = "new" | "stored";

/** What the language is in a version of Kubernetes. */
export interface Language {
  readonly libraries: readonly CelLibrary[];
  readonly crossTypeComparisons: boolean;
  readonly optionals: boolean;
  readonly literalChecks: boolean;
}

/** Newest minor version of Kubernetes 1 whose language is known. */
const newestMinor = 37;
/** First minor version with expressions in definitions. */
const oldestMinor = 23;

interface Part {
  /** First minor version that has the library. */
  readonly from: number;
  /** First minor version that has another one instead. */
  readonly until?: number;
  readonly library: CelLibrary;
}

/** The libraries of Kubernetes (k8s.io/apiserver/pkg/cel/environment/base.go), in the order in which they are loaded. */
const parts: readonly Part[] = [{ from: 0, library: standardLibrary }];

/**
 * Returns the language of a version.
 *
 * @param version - For example "1.36"; the newest known version by default.
 * @throws {RangeError} for a version that is not known.
 */
export function languageOf(version: string | undefined, mode: ExpressionMode): Language {
  const minor = version === undefined ? newestMinor : minorOf(version);
  // New expressions must also work on the version before, to which a cluster may return.
  const known = mode === "stored" ? Number.POSITIVE_INFINITY : minor - 1;
  return {
    libraries: parts
      .filter(({ from, until = Number.POSITIVE_INFINITY }) => from <= known && known < until)
      .map(({ library }) => library),
    crossTypeComparisons: known >= 28,
    optionals: known >= 28,
    literalChecks: known >= 29,
  };
}

function minorOf(version: string): number {
  const [, minor] = /^v?1\.(\d+)(?:\.\d+.*)?$/.exec(version) ?? [];
  const number = Number(minor);
  if (!(number >= oldestMinor && number <= newestMinor)) {
    throw new RangeError(
      `unknown version ${JSON.stringify(version)}: use 1.${oldestMinor} to 1.${newestMinor}`,
    );
  }
  return number;
}
