import { isNetworkError, KubeError } from "@typekube/core";
import { monotonicNow, sleep } from "@typekube/core/internal";
import type { CallOptions } from "../options/call-options.js";
import type { HealthOptions } from "../options/health-options.js";
import type { CallContext } from "../request/call-context.js";
import { type Health, type HealthEndpoint, requestHealth } from "./health.js";

/** Milliseconds between two readiness requests. */
export const readyPollMs = 1_000;

/** Options of a wait until a server is ready. */
export interface UntilReadyOptions extends Omit<CallOptions, "timeoutMs"> {
  /** Milliseconds for the whole wait. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Names of checks that may fail. */
  readonly exclude?: readonly string[] | undefined;
}

/** Polls `readyz` until it succeeds. See `client.untilReady`. */
export async function untilReady(
  context: CallContext,
  { timeoutMs = Number.POSITIVE_INFINITY, ...options }: UntilReadyOptions,
): Promise<void> {
  const until = monotonicNow(context.clock) + timeoutMs;
  // A request ends with the wait, but always has at least one poll interval.
  const ask = (endpoint: HealthEndpoint, how: HealthOptions) => {
    const leftMs = Math.max(until - monotonicNow(context.clock), readyPollMs);
    const callMs = Math.min(leftMs, context.defaults.timeoutMs || Number.POSITIVE_INFINITY);
    const limit = Number.isFinite(callMs) ? { timeoutMs: callMs } : {};
    return readinessOf(
      requestHealth(context, endpoint, { ...options, ...how, ...limit }),
      options.signal,
    );
  };
  for (;;) {
    const ready = await ask("readyz", {});
    if (ready.health?.ok) {
      return;
    }
    if (monotonicNow(context.clock) + readyPollMs > until) {
      const live = await ask("livez", { verbose: false });
      throw new KubeError(
        "DeadlineExceeded",
        `the server has not become ready within ${timeoutMs} ms (${stateOf(ready)}; it is ${live.health?.ok ? "live" : "not live"})`,
        { cause: ready.error },
      );
    }
    await sleep(context.clock, readyPollMs, options.signal);
  }
}

interface Readiness {
  readonly health?: Health;
  readonly error?: KubeError;
}

/**
 * Returns the health, or the error of a server that is not ready: one that cannot be reached, is too busy, or does not
 * respond, as reported by the server or by a load balancer in front of it. Other errors, such as a refusal, are thrown.
 */
async function readinessOf(
  requested: Promise<Health>,
  signal: AbortSignal | undefined,
): Promise<Readiness> {
  try {
    return { health: await requested };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof KubeError && (isUnwell(error) || isNetworkError(error))) {
      return { error };
    }
    throw error;
  }
}

function isUnwell({ code, httpStatus = 0 }: KubeError): boolean {
  return code === "DeadlineExceeded" || httpStatus === 429 || httpStatus >= 500;
}

function stateOf({ health, error }: Readiness): string {
  const failed = (health?.checks ?? []).filter(({ ok }) => !ok).map(({ name }) => name);
  return error
    ? `the last request failed with ${error.code}`
    : `failed checks: ${failed.join(", ") || "not named"}`;
}
