import type { StatusCause } from "@typekube/core";

/** Where a check stands. */
export interface Place {
  /** What the path of a cause starts with: `status` for a write of the status alone. */
  readonly root: string;
  /** The path below it; `.` begins those that stand in nothing. */
  readonly path: string;
}

/** The outcome of checks. */
export interface Findings {
  readonly causes: StatusCause[];
  /** How many checks took place; the alternative that most of them fit is the one that is told of. */
  readonly matches: number;
}

/** The field of a cause. */
export function fieldOf({ root, path }: Place): string {
  const inner = path === "." ? "" : path.replace(/^\./, "");
  return root === "" ? inner || "<nil>" : inner === "" ? root : `${root}.${inner}`;
}
