/**
 * Controllers: work queues, reconcile loops, leader election, and the manager that runs them.
 *
 * @module @typekube/controller
 */

// Definitions

export type { Controller } from "./definition/controller.js";
export { defineController, defineKeyController } from "./definition/define-controller.js";
export type { ChangeFilter } from "./definition/predicates.js";
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  not,
} from "./definition/predicates.js";
export { terminal } from "./definition/terminal.js";

// The manager

export type { Manager, RunningController } from "./manager/manager.js";
export type { ManagerEvent } from "./manager/manager-events.js";
export type { ManagerOptions } from "./manager/manager-options.js";
export { startManager } from "./manager/start-manager.js";
