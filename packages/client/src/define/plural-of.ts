import { KubeError } from "@typekube/core";

/** Words that are their own plural, alone or at the end of a kind: `Fish`, `ReleaseData`. */
const unchanged = ["data", "fish", "metadata", "series", "sheep", "species"];

/** Words with a plural of their own, and endings whose plural English leaves open: `Leaf`, `Chassis`, `Quiz`. */
const irregular = /(?:child|foot|goose|man|mouse|^ox|person|tooth|[^f]fe?|is|z)$/;

/**
 * Returns the plural of a kind by English rules, in lower case: `Policy` becomes `policies`, `Bus` becomes `buses`.
 *
 * @throws {KubeError} `InvalidArgument` for a word whose plural the rules do not know.
 */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (unchanged.some((one) => word.endsWith(one))) {
    return word;
  }
  if (irregular.test(word)) {
    throw new KubeError("InvalidArgument", `the plural of the kind ${kind} is not known`, {
      hint: `give it: plural: "..."`,
    });
  }
  if (/[^aeiou]y$/.test(word)) {
    return `${word.slice(0, -1)}ies`;
  }
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
