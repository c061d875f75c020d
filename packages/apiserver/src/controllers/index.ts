/**
 * Controllers and stages of the embedded API server: what programs pass to `startApiServer`.
 *
 * @module @typekube/apiserver/controllers
 */

export type { ActorOptions, ControllerOptions } from "./controller-options.js";
export type { RunPodsOptions } from "./stages/run-pods.js";
export { runPods } from "./stages/run-pods.js";
export type {
  Stage,
  StageEvent,
  StageMoment,
  StageOptions,
  StagePatch,
} from "./stages/stage.js";
export { stage } from "./stages/stage.js";
