import { isNetworkError, KubeError, monotonicNow, sleep } from "@typekube/core";
import type { Exchanging } from "./exchanging.js";
import { askHealth, type Health } from "./health.js";
import type { CallOptions } from "./options.js";

/** Milliseconds between two questions whether a server is ready. */
export const readyPollMs = 1_000;

/** How long one waits for a server to be ready. */
export interface UntilReadyOptions extends Omit<CallOptions, "timeoutMs"> {
  /** Milliseconds for the whole wait. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Names of checks that need not be well. */
  readonly exclude?: readonly string[] | undefined;
}

/** Asks `readyz` until it says yes. See `client.untilReady`. */
export async function untilReady(
  context: Exchanging,
  { timeoutMs = Number.POSITIVE_INFINITY, ...options }: UntilReadyOptions,
): Promise<void> {
  const until = monotonicNow(context.clock) + timeoutMs;
  for (;;) {
    const ready = await looked(askHealth(context, "readyz", options));
    if (ready.health?.ok) {
      return;
    }
    if (monotonicNow(context.clock) + readyPollMs > until) {
      const live = await looked(askHealth(context, "livez", { ...options, verbose: false }));
      throw new KubeError(
        "DeadlineExceeded",
        `the server has not become ready within ${timeoutMs} ms (${stateOf(ready)}; it is ${live.health?.ok ? "alive" : "not alive"})`,
        { cause: ready.error },
      );
    }
    await sleep(context.clock, readyPollMs, options.signal);
  }
}

interface Look {
  readonly health?: Health;
  readonly error?: KubeError;
}

/** What cannot be reached, or is too busy to say, is not ready; a refusal is the caller's to know. */
async function looked(asked: Promise<Health>): Promise<Look> {
  try {
    return { health: await asked };
  } catch (error) {
    const isBusy = error instanceof KubeError && [429, 500, 503].includes(error.httpStatus ?? 0);
    if (error instanceof KubeError && (isBusy || isNetworkError(error))) {
      return { error };
    }
    throw error;
  }
}

function stateOf({ health, error }: Look): string {
  const failed = (health?.checks ?? []).filter(({ ok }) => !ok).map(({ name }) => name);
  return error
    ? `it answers with ${error.code}`
    : `failed checks: ${failed.join(", ") || "not told"}`;
}
