import { KubeError } from "../kube-error.js";

/** A field that strict field validation refused. */
export interface RefusedField {
  readonly problem: "duplicate" | "unknown";
  /** The field as the server names it: `spec.replcas`. */
  readonly field: string;
}

/**
 * The fields that a write with `fieldValidation: "Strict"` was refused for. Creates and updates are told by `BadRequest`, patches
 * by `Invalid`; both are understood.
 *
 * @returns nothing for any other error, and for duplicates in YAML, which servers tell by their lines.
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
