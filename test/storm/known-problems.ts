import type { FaultKind } from "./faults/fault.js";

/** Kinds of faults that storms leave out because of a known bug, each with its reason and its test in `found/`. */
export const knownProblems: Readonly<Partial<Record<FaultKind, string>>> = {};

/** Returns the kinds without their reasons. */
export function problematicKinds(): Set<FaultKind> {
  return new Set(Object.keys(knownProblems) as FaultKind[]);
}

/** Logs a conspicuous line for each of them. */
export function tellKnownProblems(): void {
  for (const [kind, reason] of Object.entries(knownProblems)) {
    console.warn(`STORM WITHOUT ${kind}: ${reason}`);
  }
}
