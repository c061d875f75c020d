/**
 * Controllers: reconcile loops, leader election, and the manager that runs them.
 *
 * @module typekube/controller
 */

// Definitions

export type { ChangeFilter, Controller, KeptKind } from "@typekube/controller";
export {
  allOf,
  annotationsChanged,
  anyOf,
  defineController,
  defineKeyController,
  generationChanged,
  keepFields,
  labelsChanged,
  not,
  terminal,
} from "@typekube/controller";

// Events

export type {
  ClosableEventRecorder,
  EventDetails,
  EventDropReason,
  EventRecorder,
  EventRecorderOptions,
} from "@typekube/controller";
export { createEventRecorder } from "@typekube/controller";

// The manager

export type {
  ControllerCache,
  HealthCheck,
  HealthChecks,
  HealthOptions,
  Manager,
  ManagerEvent,
  ManagerOptions,
  ManagerPorts,
  ManagerWebhooks,
  MetricsOptions,
  MetricsRegistry,
  RunningController,
} from "@typekube/controller";
export { startManager } from "@typekube/controller";

// Inside of a reconcile

export type {
  ConditionInput,
  KstatusInput,
  Run,
  SummarizeOptions,
  WithConditions,
} from "@typekube/controller";
export {
  controllerReference,
  kstatusConditions,
  setCondition,
  summarize,
} from "@typekube/controller";

// Rights

export type { OperatorRoles, RbacOptions } from "@typekube/controller";
export { rbacOf } from "@typekube/controller";
// Webhooks

export type {
  AdmissionContext,
  AdmissionHandler,
  AdmissionOperation,
  AdmissionOptions,
  AdmissionReview,
  CheckableKind,
  CheckConversionsOptions,
  ConversionHandler,
  ConversionOptions,
  ConvertedKind,
  Converters,
  CreateWebhookOptions,
  Denial,
  DenyOptions,
  MigrateStorageOptions,
  MigrationProgress,
  MountedCertificateOptions,
  Mutator,
  Reviewed,
  ReviewInput,
  ReviewOutcome,
  ReviewResult,
  Spoke,
  StorageMigration,
  Validator,
  Webhook,
  WebhookHandler,
  WebhookObserver,
  WebhookService,
  WebhooksOptions,
} from "@typekube/controller";
export {
  admission,
  assertRoundTrip,
  checkConversions,
  conversion,
  createWebhook,
  migrateStorage,
  review,
} from "@typekube/controller";

// Work queues, for programs that reconcile without a manager

export {
  bucket,
  type ClassicQueueOptions,
  createClassicQueue,
  createPriorityQueue,
  type ExponentialOptions,
  exponential,
  type Fairness,
  type FastSlowOptions,
  fastSlow,
  type GroupConcurrency,
  maxOf,
  maxWait,
  type ParallelizeOptions,
  type PriorityQueueOptions,
  parallelize,
  type QueueAddOptions,
  type QueueCloseOptions,
  type QueueEntry,
  type QueueEntryState,
  type QueueObserver,
  type QueueRetryOptions,
  type QueueSnapshotOptions,
  type RateLimiter,
  type RateLimiterContext,
  type RateLimiterFactory,
  type TakenKey,
  type UnfinishedWork,
  type WorkQueue,
} from "@typekube/controller";

// Sharding over replicas

export type { ShardsOptions } from "@typekube/controller";

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
