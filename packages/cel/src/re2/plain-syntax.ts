import type { RuneSet } from "./rune-set.js";

/**
 * A pattern in the subset of RE2's syntax that JavaScript can express exactly: sets of code points, the start and end
 * of the text, sequences, alternatives and repetitions. Groups are not kept, since only the match as a whole counts.
 */
export type PlainPattern =
  | { readonly kind: "set"; readonly set: RuneSet }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "sequence"; readonly parts: readonly PlainPattern[] }
  | { readonly kind: "choice"; readonly parts: readonly PlainPattern[] }
  | Repetition;

/** A repetition; `max` is Infinity when unbounded. A lazy one prefers few iterations, which `find` shows. */
export interface Repetition {
  readonly kind: "repeat";
  readonly body: PlainPattern;
  readonly min: number;
  readonly max: number;
  readonly isLazy: boolean;
}

/** Returns true when a pattern can match without consuming a character. */
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

/** Returns true when every match begins at the start of the text, so that one attempt suffices. */
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

/** Returns true when a pattern contains an assertion about the start or end of the text. */
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
