/**
 * Controllers: work queues, reconcile loops, leader election, and the manager that runs them.
 *
 * @module @typekube/controller
 */

// Leader election

export type { ElectionEvents, ElectionMetrics } from "./election/election-hooks.js";
export type { Elector } from "./election/elector.js";
export type {
  CoordinatedElection,
  ElectionTimings,
  ElectorOptions,
} from "./election/elector-options.js";
export { electionPresets } from "./election/elector-options.js";
export type { ElectorState } from "./election/elector-state.js";
export type { Fence, Leadership } from "./election/leadership.js";
export { startElector } from "./election/start-elector.js";
