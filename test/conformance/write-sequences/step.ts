/** The ways to write that a sequence mixes. */
export type StepKind =
  | "apply"
  | "create"
  | "delete"
  | "get"
  | "jsonPatch"
  | "mergePatch"
  | "put"
  | "scale"
  | "status"
  | "strategicPatch";

/** One request of a sequence, as data: what fails can be made smaller. */
export interface Step {
  readonly kind: StepKind;
  /** Path of the collection below the namespace: `/api/v1/%/pods`. */
  readonly collection: string;
  readonly name: string;
  /** Parameters of the query. */
  readonly query?: string;
  readonly body?: unknown;
  /** The body carries the version that the server answered last. */
  readonly versioned?: boolean;
}

/** A sequence on one line per step, for people. */
export function showSequence(steps: readonly Step[]): string {
  return steps
    .map(({ kind, collection, name, query = "", body, versioned }) => {
      const version = versioned === true ? " at the version read last" : "";
      const what = body === undefined ? "" : ` ${JSON.stringify(body)}`;
      return `  ${kind} ${collection}/${name}${query}${version}${what}`;
    })
    .join("\n");
}
