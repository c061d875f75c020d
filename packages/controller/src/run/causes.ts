/** Why an object is reconciled. */
export interface Cause {
  /** Kind of cause: a change of an object, a timer, a call of `trigger`, a key from a source, a failed run, a kind that became active. */
  readonly type:
    | "add"
    | "delete"
    | "initial"
    | "kind"
    | "requeue"
    | "resync"
    | "retry"
    | "source"
    | "trigger"
    | "update";
  /** The object that changed: `apps/v1/Deployment prod/web`. */
  readonly object?: string | undefined;
}

/** The causes of a run, bounded. */
export interface RunCauses {
  /** The first 16 causes. For logs: a run must do the same whatever its causes. */
  readonly forDebug: readonly Cause[];
}

/** Causes that are kept for a key. */
const maxCauses = 16;

/** Causes as they are stored: most keys have one, and an array for each would be most of the memory. */
export type StoredCauses = Cause | Cause[] | undefined;

/** Returns causes with one more, unless there are so many that it says nothing. */
export function withCause(causes: StoredCauses, cause: Cause): StoredCauses {
  if (causes === undefined) {
    return cause;
  }
  if (!Array.isArray(causes)) {
    return [causes, cause];
  }
  if (causes.length < maxCauses) {
    causes.push(cause);
  }
  return causes;
}

/** Returns stored causes as a list. */
export function causeList(causes: StoredCauses): readonly Cause[] {
  return causes === undefined ? [] : Array.isArray(causes) ? causes : [causes];
}
