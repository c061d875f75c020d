import { Pod } from "@typekube/api/core/v1";
import type { Eviction } from "@typekube/api/policy/v1";
import { isNotFound, isTooManyRequests, KubeError, monotonicNow, sleep } from "@typekube/core";
import { assertMilliseconds } from "../call-options.js";
import type { ClientContext } from "../client-context.js";
import { assertOptions } from "../option-rules.js";
import type { WriteOptions } from "../options.js";
import { resourceOf } from "../resource-of.js";

/** Milliseconds between two tries of an eviction that a disruption budget holds up; as kubectl drain. */
export const evictionRetryMs = 5_000;

/** How a pod is evicted. */
export interface EvictOptions
  extends Pick<WriteOptions, "dryRun" | "impersonate" | "onWarning" | "signal"> {
  readonly namespace: string;
  /** Seconds that the pod gets to end. Default: the pod's own. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Evicts only the pod that is meant. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  /**
   * Milliseconds to go on trying while a disruption budget does not allow it. Default 0: the refusal is the caller's to know.
   */
  readonly retryForMs?: number | undefined;
}

/**
 * Evicts a pod: it is deleted as soon as its disruption budget allows.
 *
 * @returns whether there was a pod to evict; one that is gone is as good as evicted.
 * @throws {KubeError} `TooManyRequests` with a cause `DisruptionBudget` when the budget does not allow it in time;
 * `InvalidArgument` for a grace period or a `retryForMs` below 0.
 */
export async function evict(
  context: ClientContext,
  name: string,
  options: EvictOptions,
): Promise<boolean> {
  const { namespace, gracePeriodSeconds, preconditions, retryForMs = 0, ...call } = options;
  assertOptions("write", { gracePeriodSeconds, preconditions });
  assertMilliseconds("retryForMs", retryForMs);
  const { clock } = context;
  const until = monotonicNow(clock) + retryForMs;
  const eviction: Eviction = {
    metadata: { name, namespace },
    deleteOptions: { gracePeriodSeconds, preconditions },
  };
  for (;;) {
    try {
      await resourceOf(context, Pod, namespace).eviction.create(name, eviction, call);
      return true;
    } catch (error) {
      if (isNotFound(error) && error.status?.details?.name === name) {
        return false;
      }
      const waitMs = waitFor(error);
      if (waitMs === undefined || monotonicNow(clock) + waitMs > until) {
        throw error;
      }
      await sleep(clock, waitMs, options.signal);
    }
  }
}

/** Milliseconds to wait before another try; `undefined` for what is not about a budget. */
function waitFor(error: unknown): number | undefined {
  const isBudget =
    isTooManyRequests(error) &&
    error instanceof KubeError &&
    error.causes.some(({ reason }) => reason === "DisruptionBudget");
  return isBudget ? (error.retryAfterMs ?? evictionRetryMs) : undefined;
}
