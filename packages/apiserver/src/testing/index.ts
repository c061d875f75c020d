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
