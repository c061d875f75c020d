// The parts that a controller is made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { isController } from "./definition/controller.js";
export type { LogEntry } from "./log/log.js";
export type { LoopObserver, ObservedRun } from "./loop/loop-observer.js";
export type { RunEnd } from "./loop/run-end.js";
export { managerOptions } from "./manager/manager-options.js";
export type { PlannedWrite } from "./manager/plan.js";
export {
  type RunEvent,
  runControllerOnce,
  type SingleRun,
} from "./manager/run-controller-once.js";
export type { RunningManager } from "./manager/running-manager.js";
export { createManager, startObservedManager } from "./manager/start-manager.js";
export { createDepthByPriority, type DepthByPriority } from "./queue/depth-by-priority.js";
