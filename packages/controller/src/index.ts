/**
 * Controllers: work queues, reconcile loops, leader election, and the manager that runs them.
 *
 * @module @typekube/controller
 */

// Definitions

export type { Controller } from "./definition/controller.js";
export { defineController, defineKeyController } from "./definition/define-controller.js";
export { type KeptKind, keepFields } from "./definition/keep-fields.js";
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
export { controllerReference } from "./run/context/controller-reference.js";
export type { Run } from "./run/run.js";

// Events

export {
  type ClosableEventRecorder,
  createEventRecorder,
} from "./events/create-event-recorder.js";
export type { DropReason as EventDropReason } from "./events/event-queue.js";
export type { EventDetails, EventRecorder } from "./events/event-recorder.js";
export type { EventRecorderOptions } from "./events/recorder-options.js";

// The manager

export type { HealthCheck, HealthChecks, HealthOptions } from "./health/health-options.js";
export type {
  ControllerCache,
  Manager,
  ManagerPorts,
  ManagerWebhooks,
  RunningController,
} from "./manager/manager.js";
export type { ManagerEvent } from "./manager/manager-events.js";
export type { ManagerOptions } from "./manager/manager-options.js";
export { startManager } from "./manager/start-manager.js";
export type { MetricsOptions, MetricsRegistry } from "./metrics/metrics-options.js";

// Rights

export { type OperatorRoles, type RbacOptions, rbacOf } from "./rbac/rbac-of.js";

// Webhooks

export { type AdmissionHandler, admission } from "./webhook/admission/admission.js";
export type {
  AdmissionOptions,
  Mutator,
  Validator,
} from "./webhook/admission/admission-options.js";
export type {
  AdmissionContext,
  AdmissionOperation,
  AdmissionReview,
  Reviewed,
} from "./webhook/admission/admission-review.js";
export type { Denial, DenyOptions } from "./webhook/admission/denial.js";
export { type ReviewInput, type ReviewResult, review } from "./webhook/admission/review.js";
export { assertRoundTrip } from "./webhook/conversion/assert-round-trip.js";
export {
  type CheckableKind,
  type CheckConversionsOptions,
  checkConversions,
} from "./webhook/conversion/check-conversions.js";
export {
  type ConversionHandler,
  type ConversionOptions,
  type ConvertedKind,
  conversion,
} from "./webhook/conversion/conversion.js";
export type { Converters, Spoke } from "./webhook/conversion/converters.js";
export {
  type MigrateStorageOptions,
  type MigrationProgress,
  migrateStorage,
  type StorageMigration,
} from "./webhook/conversion/migrate-storage.js";
export {
  type CreateWebhookOptions,
  createWebhook,
  type Webhook,
  type WebhookHandler,
} from "./webhook/endpoint/create-webhook.js";
export type { ReviewOutcome, WebhookObserver } from "./webhook/endpoint/webhook-observer.js";
export type {
  MountedCertificateOptions,
  WebhookService,
  WebhooksOptions,
} from "./webhook/webhooks-options.js";

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
