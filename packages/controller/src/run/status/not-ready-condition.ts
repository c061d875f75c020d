import type { Condition } from "@typekube/api/meta/v1";
import { KubeError } from "@typekube/core";
import type { RunContext } from "../context/run-context.js";
import type { RunState } from "../context/run-state.js";
import { withStatus } from "./with-status.js";
import { mayHaveStatus, writeStatus } from "./write-status.js";

/** Condition that a run which is not ready sets to `False`. */
const readyType = "Ready";

/**
 * Writes the reason of `notReady` into the condition Ready, if the object has one: a kind without conditions, or whose
 * controller never says Ready, stays as it is. A write that fails is left to the next run.
 */
export async function writeNotReady(
  context: RunContext,
  state: RunState,
  reason: string,
  message: string | undefined,
): Promise<void> {
  if (state.object === undefined || !mayHaveStatus(context)) {
    return;
  }
  try {
    const object = await withStatus(context, state, state.object, ["conditions"]);
    const { status } = object as {
      readonly status?: { readonly conditions?: readonly Condition[] };
    };
    if (status?.conditions?.some?.(({ type }) => type === readyType) === true) {
      const condition = { type: readyType, status: "False", reason, message: message ?? "" };
      await writeStatus(context, state, { conditions: [condition] });
    }
  } catch (error) {
    if (!(error instanceof KubeError)) {
      throw error;
    }
  }
}
