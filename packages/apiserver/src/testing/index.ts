/**
 * Tests of controllers, without a cluster and on a virtual clock.
 *
 * @module @typekube/apiserver/testing
 */

export type { ControllerTest, ControllerTestOptions } from "./controller-test.js";
export { controllerTest } from "./controller-test.js";
export type { RecordedRun, RunOutcome } from "./run-record.js";
