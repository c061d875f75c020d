import type { KubeError } from "@typekube/core";
import type { ExploredFault } from "../faults/explored-fault.js";
import type { NormalWorld, StoredKeys } from "../world/normal-world.js";
import type { Call } from "./call.js";
import type { TraceEntry } from "./trace.js";

/** Kinds of failures of an operator. */
export type FindingKind =
  | "another state"
  | "created twice"
  | "did not converge"
  | "endless writes"
  | "invariant violated"
  | "orphans left"
  | "unhandled rejection"
  | "writes after leadership was lost";

/** Something that went wrong in a run. */
export interface Failure {
  readonly kind: FindingKind;
  readonly message: string;
  /** Words that are equal for equal failures: the message without counts and names of processes. */
  readonly mark: string;
  /** Position of its note in the trace. */
  readonly note: number;
  /** True for a world that is not right in the end. */
  readonly isEnd?: boolean | undefined;
}

/** Result of a run. */
export interface RunResult {
  /** The operator's calls, until nothing more should happen. */
  readonly calls: readonly Call[];
  /** Number of all its calls. */
  readonly callCount: number;
  /** Events that the operator got, by resource. */
  readonly events: ReadonlyMap<string, number>;
  readonly trace: readonly TraceEntry[];
  readonly world: NormalWorld;
  /** Keys of all objects that were written. */
  readonly written: StoredKeys;
  readonly failures: readonly Failure[];
  /** The step that failed, and why: the end of such a run says nothing about the operator. */
  readonly impossible: string | undefined;
  /** Number of that step. */
  readonly failedStep: number | undefined;
  /** The errors with which the operator's processes ended by themselves. */
  readonly ends: readonly string[];
  /** Number of processes that ended by themselves without an error. */
  readonly quits: number;
  /** The error of an operator that returns something else than controllers, a promise or nothing. */
  readonly refused: KubeError | undefined;
  /** The value with which the promise of the last such process ended. */
  readonly returned: unknown;
  /** The steps for which virtual time passed. */
  readonly slowSteps: ReadonlySet<number>;
  /** Those of them that waited for nothing in real time. */
  readonly waitingSteps: ReadonlySet<number>;
  /** True when the run ended in a step that waits. */
  readonly isStuck: boolean;
  /** Milliseconds after the last step at which the budget ended the run; `undefined` when it went to its end. */
  readonly cutShortMs: number | undefined;
  /** Milliseconds after the last step until the world was right. */
  readonly settledMs: number;
  /** Time of the run at its end, in milliseconds. */
  readonly endMs: number;
  /** The longest wait of a step, in milliseconds. */
  readonly longestWaitMs: number;
  /** True when the world became right, or a step could go on, only after its time, when the operator looked again. */
  readonly wasLate: boolean;
  /** True when the run was broken off, since it has no end. */
  readonly isEndless: boolean;
  /** True when nothing went on any more at the end. */
  readonly didRest: boolean;
  /** The faults that occurred. */
  readonly struck: readonly ExploredFault[];
  /** The operator's writes in the time after the last step in which nothing more should happen. */
  readonly restWrites: number;
  /** Parts of the scenario that the run could not control. */
  readonly unexplored: readonly string[];
}
