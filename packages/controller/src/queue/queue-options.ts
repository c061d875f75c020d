import { KubeError } from "@typekube/core";
import {
  amount,
  assertOptions,
  type Clock,
  callback,
  integerFrom,
  milliseconds,
  type OptionCheck,
  type OptionTable,
  object,
  type Random,
} from "@typekube/core/internal";
import type { RateLimiterFactory } from "./limiters/rate-limiter.js";
import type { QueueObserver } from "./queue-observer.js";
import type { Fairness } from "./ready/fair-lane.js";
import type { GroupConcurrency } from "./ready/group-slots.js";
import type { AddOptions, RetryOptions } from "./work-queue.js";

/** Options of `createClassicQueue()`. */
export interface ClassicQueueOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined;
  /** Source of jitter. Default `Math.random`. */
  readonly random?: Random | undefined;
  /**
   * Delays of retries. Default of the classic queue: client-go's, `maxOf(exponential({ jitter: 0 }), bucket(10, 100))`;
   * of the priority queue: `exponential()`, without a limit for all keys together, as in controller-runtime.
   */
  readonly retryLimiter?: RateLimiterFactory | undefined;
  /** Observes the queue, for metrics. Default: none. */
  readonly observer?: QueueObserver | undefined;
}

/** Options of `createPriorityQueue()`. */
export interface PriorityQueueOptions extends ClassicQueueOptions {
  /**
   * Milliseconds after which a ready key of negative priority counts as one of priority 0: it takes turns with those, so
   * that it is not starved and a large backlog does not delay them. Infinity turns aging off. Default 60,000.
   */
  readonly agingMs?: number | undefined;
  /** Serves groups of keys in turn inside of one priority, such as namespaces. Default: one group. */
  readonly fairBy?: ((key: string) => string) | Fairness | undefined;
  /** Maximum of runs per group of keys. Default: unlimited. */
  readonly groupConcurrency?: GroupConcurrency | undefined;
}

const fairBy: OptionCheck = {
  mustBe: "a function, or an object with the functions by and weight",
  isValid: (value) =>
    typeof value === "function" ||
    (hasFunctionBy(value) && ["function", "undefined"].includes(typeof value["weight"])),
};

const groupConcurrency: OptionCheck = {
  mustBe: "an object with a function by and an integer max of at least 1",
  isValid: (value) => hasFunctionBy(value) && integerFrom(1).isValid(value["max"]),
};

function hasFunctionBy(value: unknown): value is Readonly<Record<string, unknown>> {
  return object.isValid(value) && typeof (value as { by?: unknown }).by === "function";
}

/** Names and checks of {@link ClassicQueueOptions}. */
export const classicQueueOptions: OptionTable<ClassicQueueOptions> = {
  clock: object,
  observer: object,
  random: callback,
  retryLimiter: callback,
};

/** Names and checks of {@link PriorityQueueOptions}. */
export const priorityQueueOptions: OptionTable<PriorityQueueOptions> = {
  ...classicQueueOptions,
  agingMs: milliseconds,
  fairBy,
  groupConcurrency,
};

const priority: OptionCheck = { mustBe: "an integer", isValid: Number.isSafeInteger };

/** Names and checks of {@link AddOptions}. */
const addOptions: OptionTable<AddOptions> = {
  afterMs: { mustBe: "a finite number", hint: "in milliseconds", isValid: Number.isFinite },
  priority,
};

/** Names and checks of {@link RetryOptions}. */
export const retryOptions: OptionTable<RetryOptions> = {
  notBeforeMs: {
    mustBe: "a finite number of at least 0",
    hint: "in milliseconds",
    isValid: (value) => Number.isFinite(value) && amount.isValid(value),
  },
  priority,
};

/** Names the invalid part of an add. A function of its own, so that a valid add does not pay for it. */
export function rejectAdd(key: unknown, options: AddOptions): never {
  assertOptions("add()", options, addOptions);
  throw new KubeError("InvalidArgument", `add(): the key is ${String(key)}, but must be a string`);
}
