/** Kinds of requests in a sequence. */
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

/** One request of a sequence, as data, so that a failing sequence can be shrunk. */
export interface Step {
  readonly kind: StepKind;
  /** Path of the collection, with `%` for the namespace: `/api/v1/%/pods`. */
  readonly collection: string;
  readonly name: string;
  /** Query, with its leading `?`. */
  readonly query?: string;
  readonly body?: unknown;
  /** Sends the resourceVersion of the last response in the body. */
  readonly versioned?: boolean;
}

/** Formats a sequence for people, one line per step. */
export function showSequence(steps: readonly Step[]): string {
  return steps
    .map(({ kind, collection, name, query = "", body, versioned }) => {
      const version = versioned === true ? " at the version read last" : "";
      const what = body === undefined ? "" : ` ${JSON.stringify(body)}`;
      return `  ${kind} ${collection}/${name}${query}${version}${what}`;
    })
    .join("\n");
}
