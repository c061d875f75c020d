import type { KubeObject, Live } from "@typekube/api";
import { jsonPatch } from "@typekube/client";
import { isInvalid, isNotFound } from "@typekube/core";
import { jsonPatchBetween } from "@typekube/core/internal";
import { kindId } from "../../definition/any-kind.js";
import { isOwnChange } from "../context/is-own-change.js";
import { operationsIn, type RunContext } from "../context/run-context.js";
import type { RunState } from "../context/run-state.js";

/** Attempts in total, when others change the list of finalizers at the same time. */
const maxTries = 3;

/**
 * Changes the finalizers of the run's object with a JSON patch that holds only for this object and this list, so that
 * finalizers which others add or remove at the same time survive. (as kube-rs' finalizer.rs)
 *
 * @param change - returns the new list.
 * @returns the object; `undefined` when it does not exist any more.
 */
export async function changeFinalizers(
  context: RunContext,
  state: RunState,
  object: Live<KubeObject>,
  change: (finalizers: readonly string[]) => string[],
): Promise<Live<KubeObject> | undefined> {
  const { kind } = context.controller.kind;
  const operations = operationsIn(context, kind, state.namespace);
  const { name, uid } = object.metadata;
  let current = object;
  for (let tries = 1; ; tries++) {
    const old = current.metadata.finalizers;
    const next = change(old ?? []);
    const operationsOfPatch = [
      { op: "test", path: "/metadata/uid", value: uid } as const,
      ...jsonPatchBetween(
        { metadata: old === undefined ? {} : { finalizers: old } },
        { metadata: { finalizers: next } },
        { testValues: true },
      ),
    ];
    if (operationsOfPatch.length === 1) {
      return current;
    }
    try {
      const written = await operations.patch(name, jsonPatch(operationsOfPatch));
      note(context, state, current, written);
      return written;
    } catch (error) {
      if (isNotFound(error)) {
        return undefined;
      }
      if (!isInvalid(error) || tries === maxTries) {
        throw error;
      }
    }
    const newest = await operations.find(name);
    if (newest?.metadata.uid !== uid) {
      return undefined;
    }
    current = newest;
  }
}

function note(
  context: RunContext,
  state: RunState,
  before: Live<KubeObject>,
  written: Live<KubeObject>,
): void {
  const { kind } = context.controller.kind;
  const id = kindId(kind);
  const { deletionTimestamp, finalizers = [] } = written.metadata;
  state.object = written;
  state.generation = written.metadata.generation;
  if (context.isDryRun === true) {
    return;
  }
  if (deletionTimestamp !== undefined && finalizers.length === 0) {
    context.caches.get(id)?.deleted(written);
    context.ownWrites.expectGone(id, written, state.key);
  } else if (isOwnChange(context, kind, before, written, { metadata: { finalizers } })) {
    context.ownWrites.expect(id, written, state.key);
  }
}
