/**
 * Tests of controllers, without a cluster and on a virtual clock.
 *
 * @module @typekube/apiserver/testing
 */

// Controllers at work

export type { ControllerTest, ControllerTestOptions } from "./controller-test.js";
export { controllerTest } from "./controller-test.js";
export type { RecordedRun, RunOutcome } from "./run-record.js";

// One run

export type { ReconcileOnceOptions, ReconcileResult } from "./reconcile-once.js";
export { reconcileOnce } from "./reconcile-once.js";

// Search of failures

export type { Exploration } from "./explore/exploration.js";
export { explore } from "./explore/explore.js";
export type { ExploredFault, FaultType, RefusalStatus } from "./explore/faults/explored-fault.js";
export type { Finding } from "./explore/findings/finding.js";
export type { FindingKind } from "./explore/record/run-result.js";
export type { TraceLine } from "./explore/record/trace.js";
export type { Coverage, CoveredCall } from "./explore/report/coverage.js";
export type { ExploreOptions } from "./explore/scenario/explore-options.js";
export type { Externals } from "./explore/scenario/externals.js";
export type {
  Operator,
  OperatorContext,
  Scenario,
  UserStep,
  WorldCheck,
} from "./explore/scenario/scenario.js";
export type { World } from "./explore/world/world.js";
