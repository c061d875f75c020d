import type { StatusCause } from "@typekube/core";
import type { CompilePattern } from "../structural/compile-pattern.js";
import { hasSecret } from "../structural/secret-values.js";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** Location of a check, and what the check needs. */
export interface Place {
  /** Prefix of the paths of causes: `status` for a status write. */
  readonly root: string;
  /** Path below the root; root-level fields begin with `.`. */
  readonly path: string;
  readonly compilePattern: CompilePattern;
  /** True below a part of `allOf` and the like, whose schema need not say that the value is a secret. */
  readonly isSecret?: boolean;
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

/** Returns true if errors must not show the value of a place. */
export function isHidden(schema: StructuralSchema, { isSecret = false }: Place): boolean {
  return isSecret || hasSecret(schema);
}
