/**
 * Controllers: reconcile loops, leader election, and the manager that runs them.
 *
 * @module typekube/controller
 */

export {
  type AddOptions,
  bucket,
  type ClassicQueueOptions,
  type CloseOptions,
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
  type QueueEntry,
  type QueueEntryState,
  type QueueObserver,
  type RateLimiter,
  type RateLimiterContext,
  type RateLimiterFactory,
  type RetryOptions,
  type SnapshotOptions,
  type TakenKey,
  type UnfinishedWork,
  type WorkQueue,
} from "@typekube/controller";
