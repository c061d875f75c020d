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

// Inside of a reconcile

export type {
  ConditionInput,
  WithConditions,
} from "./conditions/set-condition.js";
export { setCondition } from "./conditions/set-condition.js";
export {
  type KstatusInput,
  kstatusConditions,
  type SummarizeOptions,
  summarize,
} from "./conditions/summarize.js";
export { controllerReference } from "./run/controller-reference.js";
export type { Run } from "./run/run.js";

// The manager

export type { Manager, RunningController } from "./manager/manager.js";
export type { ManagerEvent } from "./manager/manager-events.js";
export type { ManagerOptions } from "./manager/manager-options.js";
export { startManager } from "./manager/start-manager.js";

// Rights

export { type OperatorRoles, type RbacOptions, rbacOf } from "./rbac/rbac-of.js";

// Work queues, for programs that reconcile without a manager

export { createClassicQueue } from "./queue/classic-queue.js";
export { bucket } from "./queue/limiters/bucket.js";
export { maxOf, maxWait } from "./queue/limiters/combined.js";
export { type ExponentialOptions, exponential } from "./queue/limiters/exponential.js";
export { type FastSlowOptions, fastSlow } from "./queue/limiters/fast-slow.js";
export type {
  RateLimiter,
  RateLimiterContext,
  RateLimiterFactory,
} from "./queue/limiters/rate-limiter.js";
export { type ParallelizeOptions, parallelize } from "./queue/parallelize.js";
export { createPriorityQueue } from "./queue/priority-queue.js";
export type { QueueObserver } from "./queue/queue-observer.js";
export type { ClassicQueueOptions, PriorityQueueOptions } from "./queue/queue-options.js";
export type { Fairness } from "./queue/ready/fair-lane.js";
export type { GroupConcurrency } from "./queue/ready/group-slots.js";
export type {
  AddOptions as QueueAddOptions,
  CloseOptions as QueueCloseOptions,
  QueueEntry,
  QueueEntryState,
  RetryOptions as QueueRetryOptions,
  SnapshotOptions as QueueSnapshotOptions,
  TakenKey,
  UnfinishedWork,
  WorkQueue,
} from "./queue/work-queue.js";

// Sharding over replicas

export type { ShardsOptions } from "./shards/shards-options.js";

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
