/**
 * Controllers: reconcile loops, leader election, and the manager that runs them.
 *
 * @module typekube/controller
 */

// Definitions

export type { ChangeFilter, Controller } from "@typekube/controller";
export {
  allOf,
  annotationsChanged,
  anyOf,
  defineController,
  defineKeyController,
  generationChanged,
  labelsChanged,
  not,
  terminal,
} from "@typekube/controller";

// The manager

export type {
  Manager,
  ManagerEvent,
  ManagerOptions,
  RunningController,
} from "@typekube/controller";
export { startManager } from "@typekube/controller";
