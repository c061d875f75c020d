import type { RuneSet } from "./rune-set.js";

/**
 * A pattern in the part of RE2's syntax that JavaScript can express exactly: sets of code points, the two ends of
 * the text, sequences, alternatives and repetitions. Groups leave no trace, since only the match itself counts.
 */
export type PlainPattern =
  | { readonly kind: "set"; readonly set: RuneSet }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "sequence"; readonly parts: readonly PlainPattern[] }
  | { readonly kind: "choice"; readonly parts: readonly PlainPattern[] }
  | Repetition;

/** A repetition; `max` is Infinity where the pattern sets no maximum. */
export interface Repetition {
  readonly kind: "repeat";
  readonly body: PlainPattern;
  readonly min: number;
  readonly max: number;
}

/** True when a pattern can match without consuming a character. */
export function isNullable(pattern: PlainPattern): boolean {
  switch (pattern.kind) {
    case "set":
      return false;
    case "start":
    case "end":
      return true;
    case "sequence":
      return pattern.parts.every(isNullable);
    case "choice":
      return pattern.parts.some(isNullable);
    case "repeat":
      return pattern.min === 0 || isNullable(pattern.body);
  }
}

/** True when every match begins at the start of the text, so that one attempt decides. */
export function isAnchored(pattern: PlainPattern): boolean {
  switch (pattern.kind) {
    case "start":
      return true;
    case "sequence":
      return pattern.parts[0] !== undefined && isAnchored(pattern.parts[0]);
    case "choice":
      return pattern.parts.every(isAnchored);
    default:
      return false;
  }
}

/** True when an end of the text is tested somewhere in a pattern. */
export function hasAssertion(pattern: PlainPattern): boolean {
  switch (pattern.kind) {
    case "set":
      return false;
    case "start":
    case "end":
      return true;
    case "sequence":
    case "choice":
      return pattern.parts.some(hasAssertion);
    case "repeat":
      return hasAssertion(pattern.body);
  }
}
