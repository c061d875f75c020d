import { KubeError } from "../errors/kube-error.js";

/** A field that strict field validation rejected. */
export interface RefusedField {
  readonly problem: "duplicate" | "unknown";
  /** Field as the server names it: `spec.replcas`. */
  readonly field: string;
}

/**
 * Returns the fields for which the server rejected a write with `fieldValidation: "Strict"`. Reads both forms: servers
 * report creates and updates with `BadRequest`, patches with `Invalid`.
 *
 * @returns an empty array for any other error, and for duplicates in YAML, which servers report by their lines.
 */
export function refusedFields(error: unknown): RefusedField[] {
  if (
    !(error instanceof KubeError) ||
    !(error.code === "BadRequest" || error.code === "Invalid") ||
    !error.rawMessage.includes("strict decoding error: ")
  ) {
    return [];
  }
  const matches = error.rawMessage.matchAll(/(unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g);
  return [...matches].map(([, problem, field]) => ({
    problem: problem as RefusedField["problem"],
    field: field as string,
  }));
}
