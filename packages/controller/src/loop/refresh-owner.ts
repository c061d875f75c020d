import type { RunCauses } from "../run/causes.js";
import { cacheOf, type RunContext } from "../run/context/run-context.js";
import type { RunState } from "../run/context/run-state.js";
import { liveReads } from "../run/run-reads.js";

/** Returns whether a run was caused by the deletion of an owned object. */
export function hasLostChild({ children }: RunContext, { forDebug }: RunCauses): boolean {
  return (
    children.size > 0 &&
    forDebug.some(
      ({ type, object }) => type === "delete" && children.has(object?.split(" ")[0] ?? ""),
    )
  );
}

/**
 * Reads the object of a run from the server before a lost child is created again. After the deletion of an owner the
 * garbage collector deletes its children, and while the watch of the owners lags behind, each new child would be deleted
 * and created again, as fast as the server can.
 */
export async function refreshOwner(context: RunContext, state: RunState): Promise<void> {
  const cached = state.object;
  if (cached === undefined) {
    return;
  }
  const { kind } = context.controller.kind;
  const cache = cacheOf(context, kind);
  const live = await liveReads(context, state).get(kind, state.key);
  if (live === undefined || live.metadata.uid !== cached.metadata.uid) {
    cache.deleted(cached);
  } else if (live.metadata.resourceVersion !== cached.metadata.resourceVersion) {
    cache.mutated(live);
  }
  state.object = cache.get(state.key);
}
