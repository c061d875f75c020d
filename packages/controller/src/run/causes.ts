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
export const maxCauses = 16;
