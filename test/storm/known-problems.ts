import type { FaultKind } from "./faults/fault.js";

/** Kinds of faults that storms leave out because a bug is known, each with its reason and its test in `found/`. */
export const knownProblems: Readonly<Partial<Record<FaultKind, string>>> = {};

/** The kinds alone. */
export function problematicKinds(): Set<FaultKind> {
  return new Set(Object.keys(knownProblems) as FaultKind[]);
}

/** One loud line for each of them. */
export function tellKnownProblems(): void {
  for (const [kind, reason] of Object.entries(knownProblems)) {
    console.warn(`STORM WITHOUT ${kind}: ${reason}`);
  }
}
