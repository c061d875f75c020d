import type { KubeObject, Live } from "@typekube/api";
import type { DeleteOptions, DeleteResult } from "@typekube/client";
import { type AnyKind, kindId } from "../../definition/any-kind.js";
import { isOwnChange } from "./is-own-change.js";
import { operationsIn, type RunContext } from "./run-context.js";
import type { RunState } from "./run-state.js";

/** Fields that a delete writes when something delays the removal. */
const deletion = { metadata: { deletionTimestamp: "", deletionGracePeriodSeconds: 0 } };

/** Deletes an object and records what that leaves, for reads of following runs and for the echo in the watch. */
export async function deleteChild(
  context: RunContext,
  { key }: RunState,
  kind: AnyKind,
  object: Live<KubeObject>,
  options: DeleteOptions,
): Promise<DeleteResult> {
  const { name, namespace } = object.metadata;
  const result = await operationsIn(context, kind, namespace).delete(name, options);
  if (options.dryRun !== undefined || context.isDryRun === true) {
    return result;
  }
  const id = kindId(kind);
  if (result.type === "deleted") {
    context.caches.get(id)?.deleted(object);
    context.ownWrites.expectGone(id, object, key);
  } else if (isOwnChange(context, kind, object, result.object, deletion)) {
    context.ownWrites.expect(id, result.object, key);
  }
  return result;
}
