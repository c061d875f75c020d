import type { Externals } from "../scenario/externals.js";
import type { Scenario } from "../scenario/scenario.js";
import type { RunWorld } from "../world/run-world.js";
import type { CallBook } from "./call-book.js";
import type { EventGate } from "./event-gate.js";
import type { Expectation } from "./expectation.js";
import type { FaultEffects } from "./fault-effects.js";
import type { FaultSchedule } from "./fault-schedule.js";
import type { LeaseWatch } from "./lease-watch.js";
import type { Patience } from "./patience.js";
import type { Processes } from "./processes.js";
import type { RunLog } from "./run-log.js";
import type { RunTime } from "./run-time.js";

/** Parts of a a convergence. */
export interface ConvergenceParts<X extends Externals> {
  readonly scenario: Scenario<X>;
  /** The run without faults; `undefined` for that run itself. */
  readonly expected: Expectation | undefined;
  readonly world: RunWorld<X>;
  readonly time: RunTime;
  readonly log: RunLog;
  readonly schedule: FaultSchedule;
  readonly effects: FaultEffects;
  readonly events: EventGate;
  readonly leases: LeaseWatch;
  readonly calls: CallBook;
  readonly processes: Processes<X>;
  /** Waits until the operator has looked again; `undefined` for a run that only shows whether that is necessary. */
  readonly patience: Patience | undefined;
  /** Returns whether the run without faults has had its real time. */
  readonly isOverBudget: () => boolean;
}
