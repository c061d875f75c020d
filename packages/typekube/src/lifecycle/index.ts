/**
 * Rollouts, drains, usage, and the lifecycle of built-in kinds.
 *
 * @module typekube/lifecycle
 */

// Rollouts and nodes

export { type CordonOptions, cordon, uncordon } from "./cordon.js";
export { type DrainOptions, type DrainProgress, drain } from "./drain.js";
export type { DrainRules } from "./drain-verdict.js";
export { type RestartOptions, restart, restartedAtAnnotation } from "./restart.js";
export {
  type NodeUsage,
  type PodUsage,
  type TopOptions,
  topNodes,
  topPods,
  type Usage,
} from "./top.js";

// Lifecycles of built-in kinds, and the warnings that servers send about them

export type { KindLifecycle, LifecycleStage } from "@typekube/api/lifecycle";
export { lifecycleOf, lifecycleStage } from "@typekube/api/lifecycle";
export { readWarning, type ServerWarning } from "@typekube/client";
