import type { KubeObject, Live } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { RunContext } from "../run/context/run-context.js";
import type { RunState } from "../run/context/run-state.js";
import { withStatus } from "../run/status/with-status.js";
import { mayHaveStatus, writeStatus } from "../run/status/write-status.js";

/** Condition of an object that cannot be finalized. */
const finalizingType = "Finalizing";

/** Milliseconds since the deletion after which an object that cannot be finalized is stuck. */
export const stuckAfterMs = 3_600_000;

/** Returns true for an object whose deletion began so long ago that it counts as stuck. */
export function isStuck({ metadata }: Live<KubeObject>, now: number): boolean {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp !== undefined && now - Date.parse(deletionTimestamp) > stuckAfterMs;
}

/**
 * Writes the condition Finalizing with the error of a finalizer: reason `FinalizeFailed`, and `Stuck` from an hour after
 * the deletion on. Only for objects that have conditions; a write that fails is left to the next run.
 */
export async function writeFinalizing(
  context: RunContext,
  state: RunState,
  object: Live<KubeObject>,
  name: string,
  error: Error,
): Promise<void> {
  const text = error instanceof KubeError ? error.rawMessage : error.message;
  const condition = {
    type: finalizingType,
    status: "True",
    reason: isStuck(object, context.clock.now()) ? "Stuck" : "FinalizeFailed",
    message: `${name}: ${text}`,
  };
  try {
    if (mayHaveStatus(context)) {
      const { status } = (await withStatus(context, state, object, ["conditions"])) as {
        readonly status?: { readonly conditions?: unknown };
      };
      if (Array.isArray(status?.conditions)) {
        await writeStatus(context, state, { conditions: [condition] });
      }
    }
  } catch (failure) {
    if (!(failure instanceof KubeError)) {
      throw failure;
    }
  }
}
