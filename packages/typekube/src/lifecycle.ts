// The lives of built-in kinds

export type { KindLifecycle, LifecycleStage } from "@typekube/api/lifecycle";
export { lifecycleOf, lifecycleStage } from "@typekube/api/lifecycle";
