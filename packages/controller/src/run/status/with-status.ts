import type { KubeObject, Live } from "@typekube/api";
import { isMarkedProjected, type Projection } from "@typekube/core/internal";
import { kindId } from "../../definition/any-kind.js";
import { operationsIn, type RunContext } from "../context/run-context.js";
import type { RunState } from "../context/run-state.js";

/**
 * Returns the run's object with some fields of its status: itself if it has them, otherwise as the server has it, read
 * once in a run. A write compares with these fields, and would drop the conditions of others without them.
 *
 * @param names - of the fields, such as `conditions`.
 * @returns the object itself when it does not exist any more: the server then refuses the write.
 */
export async function withStatus(
  context: RunContext,
  state: RunState,
  object: Live<KubeObject>,
  names: readonly string[],
): Promise<Live<KubeObject>> {
  const { kind } = context.controller.kind;
  const projection = context.caches.get(kindId(kind))?.projection;
  if (projection === undefined || !isMarkedProjected(object) || keepsStatus(projection, names)) {
    return object;
  }
  const { name, uid } = object.metadata;
  state.whole ??= await operationsIn(context, kind, state.namespace).find(name);
  return state.whole?.metadata.uid === uid ? state.whole : object;
}

function keepsStatus({ root }: Projection, names: readonly string[]): boolean {
  const status = root.fields.get("status");
  return (
    status !== undefined &&
    (status.whole || names.every((name) => status.fields.get(name)?.whole === true))
  );
}
