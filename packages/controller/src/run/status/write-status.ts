import type { KubeObject, Live } from "@typekube/api";
import { mergePatch } from "@typekube/client";
import { isConflict, isNotFound, KubeError } from "@typekube/core";
import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { type AnyKind, kindId } from "../../definition/any-kind.js";
import { createLog } from "../../log/log.js";
import { isOwnChange, isSameState } from "../context/is-own-change.js";
import { descriptorOf, operationsIn, type RunContext } from "../context/run-context.js";
import type { RunState } from "../context/run-state.js";
import { statusChange } from "./status-change.js";
import { withStatus } from "./with-status.js";

/** Attempts in total when others change the object at the same time. (client-go's retry.DefaultRetry) */
const maxTries = 5;

/**
 * Writes a part of the status of the run's object; see `RunStatus.set`. A namesake that was created in the meantime is
 * not touched.
 */
export async function writeStatus(
  context: RunContext,
  state: RunState,
  partial: unknown,
): Promise<Live<KubeObject>> {
  const { controller, clock } = context;
  const { kind } = controller.kind;
  assertHasStatus(context, kind);
  if (!isJsonObject(partial)) {
    throw new KubeError("InvalidArgument", "a status must be an object");
  }
  let { object } = state;
  if (object === undefined) {
    throw new KubeError("InvalidState", `${state.key} does not exist, so it has no status`);
  }
  const { generation } = state;
  const { uid } = object.metadata;
  object = await withStatus(context, state, object, Object.keys(partial));
  for (let tries = 1; ; tries++) {
    const { fields, needsVersion } = statusChange(object, partial, generation, clock.now());
    if (Object.keys(fields).length === 0) {
      return object;
    }
    const cached = context.caches.get(kindId(kind))?.get(state.key);
    try {
      const written = await patch(context, state, object, fields, needsVersion);
      // After a conflict, what the run has not seen may stand in the same list.
      if (tries === 1 && state.object !== undefined && !isSameState(cached, written)) {
        if (isOwnChange(context, kind, state.object, written, { status: fields })) {
          context.ownWrites.expect(kindId(kind), written, state.key);
        }
      }
      state.object = written;
      return written;
    } catch (error) {
      if (!isConflict(error) || tries === maxTries) {
        throw error;
      }
      const newest = await operationsIn(context, kind, state.namespace).find(object.metadata.name);
      if (newest?.metadata.uid !== uid) {
        throw error;
      }
      object = newest;
    }
  }
}

async function patch(
  context: RunContext,
  state: RunState,
  object: Live<KubeObject>,
  fields: JsonObject,
  needsVersion: boolean,
): Promise<Live<KubeObject>> {
  const { kind } = context.controller.kind;
  const { name, uid, resourceVersion } = object.metadata;
  const body = {
    metadata: { uid, ...(needsVersion ? { resourceVersion } : {}) },
    status: fields,
  };
  const status = operationsIn(context, kind, state.namespace).subresource("status");
  const written = await requireStatus(
    status.patch(name, mergePatch(body)) as Promise<Live<KubeObject>>,
    kind,
  );
  if (context.churn.note(state.key)) {
    createLog(context.sink, context.clock, { controller: context.controller.name }).warn(
      `the status of ${state.key} changed more than ten times in a minute: is there a time or a counter in it?`,
    );
  }
  return written;
}

/** Names the cause when the server has no such subresource: its error would be that of a missing object. */
async function requireStatus(
  written: Promise<Live<KubeObject>>,
  kind: AnyKind,
): Promise<Live<KubeObject>> {
  try {
    return await written;
  } catch (error) {
    if (isNotFound(error) && error.status?.details?.name === undefined) {
      throw noStatus(kind, error);
    }
    throw error;
  }
}

/** Returns false when the controller's kind is known to have no status subresource. */
export function mayHaveStatus(context: RunContext): boolean {
  const descriptor = descriptorOf(context, context.controller.kind.kind);
  return descriptor === undefined || descriptor.subresources["status"] !== undefined;
}

function assertHasStatus(context: RunContext, kind: AnyKind): void {
  if (!mayHaveStatus(context)) {
    throw noStatus(kind);
  }
}

function noStatus(kind: AnyKind, cause?: unknown): KubeError {
  return new KubeError("InvalidArgument", `${kindId(kind)} has no status subresource`, {
    cause,
    hint: "add subresources.status to its definition, or write the field with run.patch",
  });
}
