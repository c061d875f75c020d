import { Pod } from "@typekube/api/core/v1";
import type { Eviction } from "@typekube/api/policy/v1";
import { isNotFound, isTooManyRequests, KubeError } from "@typekube/core";
import {
  assertOptionValues,
  milliseconds,
  monotonicNow,
  type OptionTable,
  sleep,
} from "@typekube/core/internal";
import { callOptions } from "../options/call-options.js";
import { deleteOptions, preconditions } from "../options/delete-options.js";
import type { WriteOptions } from "../options/write-options.js";
import type { ClientContext } from "../resource/client-context.js";
import { resourceOf } from "../resource/resource-of.js";

/** Milliseconds between two attempts when the server names no delay, as in kubectl drain. */
export const evictionRetryMs = 5_000;

/** Default milliseconds during which an eviction is retried. */
export const evictionBudgetMs = 30_000;

/** Options of an eviction. */
export interface EvictOptions
  extends Pick<WriteOptions, "dryRun" | "impersonate" | "onWarning" | "signal"> {
  /** Namespace of the pod. */
  readonly namespace: string;
  /** Seconds for the pod to terminate. Default: the pod's own grace period. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Evicts the pod only if these values match. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  /**
   * Milliseconds during which the eviction is retried while a disruption budget or the server's load does not allow it.
   * 0 makes one attempt. Default 30,000.
   */
  readonly retryForMs?: number | undefined;
}

const evictOptions: OptionTable<EvictOptions> = {
  dryRun: deleteOptions.dryRun,
  gracePeriodSeconds: deleteOptions.gracePeriodSeconds,
  impersonate: true,
  namespace: true,
  onWarning: true,
  preconditions,
  retryForMs: milliseconds,
  signal: callOptions.signal,
};

/**
 * Evicts a pod: it is deleted as soon as its disruption budget allows.
 *
 * @returns false when the pod did not exist, which counts as evicted.
 * @throws {KubeError} `TooManyRequests` with a cause `DisruptionBudget`, and the budget's name in the message, when the
 * budget does not allow it in time; `InvalidArgument` for a grace period or a `retryForMs` below 0.
 */
export async function evict(
  context: ClientContext,
  name: string,
  options: EvictOptions,
): Promise<boolean> {
  const {
    namespace,
    gracePeriodSeconds,
    preconditions,
    retryForMs = evictionBudgetMs,
    ...call
  } = options;
  assertOptionValues(options, evictOptions);
  const { clock } = context;
  const until = monotonicNow(clock) + retryForMs;
  const eviction: Eviction = {
    metadata: { name, namespace },
    deleteOptions: { gracePeriodSeconds, preconditions },
  };
  // All waits are made here: the transport would retry by its own options.
  const once: ClientContext = {
    ...context,
    send: (request) => context.send({ ...request, isRepeated: false }),
  };
  for (;;) {
    try {
      await resourceOf(once, Pod, namespace).eviction.create(name, eviction, call);
      return true;
    } catch (error) {
      if (isNotFound(error) && error.status?.details?.name === name) {
        return false;
      }
      const waitMs = waitAfter(error);
      if (waitMs === undefined) {
        throw error;
      }
      if (monotonicNow(clock) + waitMs > until) {
        throw notEvicted(error as KubeError, `${namespace}/${name}`, retryForMs);
      }
      await sleep(clock, waitMs, options.signal);
    }
  }
}

/** Returns the milliseconds until the next attempt; `undefined` for an error that no wait resolves. */
function waitAfter(error: unknown): number | undefined {
  if (!(error instanceof KubeError)) {
    return undefined;
  }
  return error.retryAfterMs ?? (budgetCause(error) === undefined ? undefined : evictionRetryMs);
}

/**
 * Returns what the disruption budget needs, in the server's words with the budget's name; `undefined` when no budget
 * refused.
 */
function budgetCause(error: KubeError): string | undefined {
  const cause = error.causes.find(({ reason }) => reason === "DisruptionBudget");
  return cause && isTooManyRequests(error) ? (cause.message ?? "") : undefined;
}

function notEvicted(error: KubeError, pod: string, retryForMs: number): KubeError {
  const budget = budgetCause(error);
  const why = budget ? `${error.rawMessage} ${budget}` : error.rawMessage;
  return new KubeError(
    error.code,
    `the pod ${pod} was not evicted within ${retryForMs} ms: ${why}`,
    {
      ...error,
      cause: error,
      hint: budget === undefined ? error.hint : "raise retryForMs, or add replicas",
    },
  );
}
