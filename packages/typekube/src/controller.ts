/**
 * Controllers: reconcile loops, leader election, and the manager that runs them.
 *
 * @module typekube/controller
 */

// Leader election

export type {
  CoordinatedElection,
  ElectionEvents,
  ElectionMetrics,
  ElectionTimings,
  Elector,
  ElectorOptions,
  ElectorState,
  Fence,
  Leadership,
} from "@typekube/controller";
export { electionPresets, startElector } from "@typekube/controller";
