import type { CelLibrary } from "../functions/library.js";
import { authorizerLibrary } from "../libraries/authorizer/authorizer-library.js";
import { authorizerSelectorsLibrary } from "../libraries/authorizer/authorizer-selectors-library.js";
import { cidrLibrary } from "../libraries/cidr/cidr-library.js";
import { formatLibrary } from "../libraries/format/format-library.js";
import { ipLibrary } from "../libraries/ip/ip-library.js";
import { listTransformsLibrary } from "../libraries/list-transforms/list-transforms-library.js";
import { listsLibrary0, listsLibrary1 } from "../libraries/lists/lists-library.js";
import { optionalsLibrary } from "../libraries/optionals/optionals-library.js";
import { quantityLibrary } from "../libraries/quantity/quantity-library.js";
import { regexLibrary } from "../libraries/regex/regex-library.js";
import { semverLibrary1 } from "../libraries/semver/semver-library.js";
import { setsLibrary } from "../libraries/sets/sets-library.js";
import { standardLibrary } from "../libraries/standard/standard-library.js";
import { stringsLibrary0, stringsLibrary2 } from "../libraries/strings/strings-library.js";
import { twoVariablesLibrary } from "../libraries/two-variables/two-variables-library.js";
import { urlsLibrary } from "../libraries/urls/urls-library.js";

/** Age of an expression: new, or accepted before; see `CelEnvOptions.mode`. */
export type ExpressionMode = "new" | "stored";

/** The language in a version of Kubernetes. */
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
const parts: readonly Part[] = [
  { from: 0, library: standardLibrary },
  { from: 0, library: urlsLibrary },
  { from: 0, library: regexLibrary },
  { from: 0, until: 37, library: listsLibrary0 },
  { from: 27, library: authorizerLibrary },
  { from: 28, library: optionalsLibrary },
  { from: 28, library: quantityLibrary },
  { from: 0, until: 29, library: stringsLibrary0 },
  { from: 29, library: stringsLibrary2 },
  { from: 29, library: setsLibrary },
  { from: 30, library: ipLibrary },
  { from: 30, library: cidrLibrary },
  { from: 31, library: formatLibrary },
  { from: 31, library: authorizerSelectorsLibrary },
  { from: 32, library: twoVariablesLibrary },
  { from: 33, library: semverLibrary1 },
  { from: 34, library: listTransformsLibrary },
  { from: 37, library: listsLibrary1 },
];

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
  const language = languages.get(known) ?? createLanguage(known);
  languages.set(known, language);
  return language;
}

/** Languages by the newest minor version whose parts they have: one object for each, by which others keep tables. */
const languages = new Map<number, Language>();

function createLanguage(known: number): Language {
  return {
    libraries: parts
      .filter(({ from, until }) => from <= known && (until === undefined || known < until))
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
