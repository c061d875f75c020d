import type { StatusCause } from "@typekube/core";
import type { CompilePattern } from "../structural/compile-pattern.js";

/** Location of a check, and what the check needs. */
export interface Place {
  /** Prefix of the paths of causes: `status` for a status write. */
  readonly root: string;
  /** Path below the root; root-level fields begin with `.`. */
  readonly path: string;
  readonly compilePattern: CompilePattern;
}

/** Result of checks. */
export interface Findings {
  readonly causes: StatusCause[];
  /** Number of checks made; of several alternatives, the one with the most checks is reported. */
  readonly matches: number;
}

/** Returns the field of a cause. */
export function fieldOf({ root, path }: Pick<Place, "path" | "root">): string {
  const inner = path === "." ? "" : path.replace(/^\./, "");
  return root === "" ? inner || "<nil>" : inner === "" ? root : `${root}.${inner}`;
}
