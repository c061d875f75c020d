import type { ReconcileIdentity } from "@typekube/core/internal";
import { kindId } from "../definition/any-kind.js";
import { nameOfKey } from "../definition/object-key.js";
import type { RunContext } from "../run/context/run-context.js";
import type { RunningRun } from "./running-run.js";

/** Returns what tells a run from others, for diagnostics. */
export function runIdentity(
  { controller, caches }: RunContext,
  { key, attempt, priority, waitedMs }: RunningRun,
): Omit<ReconcileIdentity, "reconcileId"> {
  const { apiVersion, kind } = controller.kind.kind;
  const uid = caches.get(kindId({ apiVersion, kind }))?.get(key)?.metadata.uid;
  return {
    controller: controller.name,
    key,
    apiVersion,
    kind,
    ...nameOfKey(key),
    uid,
    attempt,
    priority,
    waitedMs,
  };
}
