import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { assertWhole, wasCreated } from "@typekube/client/internal";
import { isInvalid, isNotFound, KubeError } from "@typekube/core";
import { assertOptions, projectionOf } from "@typekube/core/internal";
import { objectKey } from "@typekube/informer";
import { type AnyKind, kindId } from "../../definition/any-kind.js";
import { asKept } from "../context/as-kept.js";
import { isOwnChange } from "../context/is-own-change.js";
import {
  absenceOf,
  assertDeclared,
  definitionAbsent,
  descriptorOf,
  operationsIn,
  type RunContext,
} from "../context/run-context.js";
import type { RunState } from "../context/run-state.js";
import { waitingFor } from "../context/waiting.js";
import { type ApplyChildOptions, applyChildOptions } from "./apply-options.js";
import { desiredChild, ownerLabel } from "./desired-child.js";
import { tellUnseen } from "./tell-unseen.js";

/** Applies a child of the run's object; see `Run.apply`. */
export async function applyChild(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  object: KubeObject,
  options: ApplyChildOptions = {},
): Promise<Live<KubeObject>> {
  assertOptions("run.apply()", options, applyChildOptions);
  assertWhole(object, "the object for run.apply()");
  assertCanApply(context, state, kind);
  const owner = ownerOf(state);
  assertReady(state, options.after ?? []);
  const { track = "owner" } = options;
  const isNamespaced = state.namespace !== undefined;
  const desired = desiredChild(
    descriptorOf(context, kind) as ResourceDescriptor,
    object,
    { object: owner, isNamespaced },
    { controller: context.controller.name, track },
  );
  const id = `${kindId(kind)} ${objectKey(desired)}`;
  state.applied.add(id);
  const cache = context.caches.get(kindId(kind));
  const cached = cache?.get(objectKey(desired));
  assertApplicable(cached, owner, track);
  const isSettled = context.applied.isSettled(id, desired, cached, cache?.projection);
  if (!isSettled && cached !== undefined && cache?.projection?.contains(ownership) === false) {
    // A kind that is not in `owns`, and whose cache does not keep to whom its objects belong.
    assertApplicable(await liveMetadata(context, kind, desired), owner, track);
  }
  const child = isSettled
    ? (cached as Live<KubeObject>)
    : await send(context, state, kind, desired, options, cached);
  if (options.readyWhen !== undefined && !options.readyWhen(child)) {
    state.unready.set(child.metadata.uid, id);
  }
  return child;
}

/** Fields that tell to whom an object belongs. */
const ownership = projectionOf(["metadata.labels", "metadata.ownerReferences"]);

async function liveMetadata(
  context: RunContext,
  kind: AnyKind,
  { metadata: { name = "", namespace } }: ReturnType<typeof desiredChild>,
): Promise<Live<KubeObject> | undefined> {
  const found = await operationsIn(context, kind, namespace).metadata().find(name);
  return found && { ...found, kind: kind.kind };
}

function assertCanApply(context: RunContext, state: RunState, kind: AnyKind): void {
  assertDeclared(context, kind);
  const absence = absenceOf(context, kind);
  if (absence !== undefined) {
    state.absentKinds.add(kindId(kind));
    throw absence;
  }
}

function ownerOf({ object, key }: RunState): Live<KubeObject> {
  if (object === undefined) {
    throw new KubeError("InvalidState", `${key} does not exist, so it cannot own an object`);
  }
  return object;
}

function assertReady({ unready }: RunState, after: readonly KubeObject[]): void {
  for (const { metadata } of after) {
    const id = unready.get(metadata?.uid ?? "");
    if (id !== undefined) {
      throw waitingFor("WaitingForDependency", `${id} is not ready`);
    }
  }
}

/** @throws {KubeError} `AlreadyOwned`; or what makes the run wait, for an object that is being deleted. */
function assertApplicable(
  cached: Live<KubeObject> | undefined,
  owner: Live<KubeObject>,
  track: "label" | "owner",
): void {
  if (cached === undefined) {
    return;
  }
  const { metadata, kind } = cached;
  const other = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (track === "owner" && other !== undefined && other.uid !== owner.metadata.uid) {
    throw alreadyOwned(`${kind} ${objectKey(cached)}`, `${other.kind} "${other.name}"`);
  }
  const label = metadata.labels?.[ownerLabel];
  if (track === "label" && label !== undefined && label !== owner.metadata.uid) {
    throw alreadyOwned(
      `${kind} ${objectKey(cached)}`,
      `the object with the uid ${label}`,
      `use another name, or remove the label ${ownerLabel}`,
    );
  }
  if (metadata.deletionTimestamp !== undefined) {
    throw waitingFor("WaitingForDeletion", `${kind} ${objectKey(cached)} is being deleted`);
  }
}

function alreadyOwned(
  what: string,
  by: string,
  hint = "use another name, or remove that owner reference",
  cause?: unknown,
): KubeError {
  return new KubeError("AlreadyOwned", `${what} is already controlled by ${by}`, { cause, hint });
}

async function send(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  desired: ReturnType<typeof desiredChild>,
  { force = true, onImmutable = "fail" }: ApplyChildOptions,
  cached: Live<KubeObject> | undefined,
): Promise<Live<KubeObject>> {
  const id = `${kindId(kind)} ${objectKey(desired)}`;
  const operations = operationsIn(context, kind, desired.metadata.namespace);
  let response: Live<KubeObject>;
  try {
    response = await operations.apply(desired, { force });
  } catch (error) {
    // The definition went, and the cache does not know yet.
    if (isNotFound(error) && error.status?.details?.name === undefined) {
      state.absentKinds.add(kindId(kind));
      throw definitionAbsent(kind);
    }
    if (
      isInvalid(error) &&
      error.causes.some(({ message }) => twoControllers.test(message ?? ""))
    ) {
      throw alreadyOwned(id, "another object", undefined, error);
    }
    if (onImmutable === "recreate" && isImmutable(error)) {
      await remove(operations, desired, cached);
      throw waitingFor("Recreating", `${id} is deleted to be created with other fields`);
    }
    throw error;
  }
  const projection = context.caches.get(kindId(kind))?.projection;
  tellUnseen(context, kind, context.applied.note(id, desired, response, projection));
  if (wasCreated(response) || (cached && isOwnChange(context, kind, cached, response, desired))) {
    context.ownWrites.expect(kindId(kind), response, state.key);
  }
  return asKept(context, kind, response);
}

const twoControllers = /Only one reference can have Controller set to true/i;

function isImmutable(error: unknown): boolean {
  return (
    isInvalid(error) &&
    error.causes.some(
      ({ reason, message = "" }) =>
        reason === "FieldValueForbidden" || /immutable|may not be changed/i.test(message),
    )
  );
}

async function remove(
  operations: ReturnType<typeof operationsIn>,
  { metadata }: ReturnType<typeof desiredChild>,
  cached: Live<KubeObject> | undefined,
): Promise<void> {
  const uid = cached?.metadata.uid;
  try {
    await operations.delete(metadata.name ?? "", {
      propagationPolicy: "Foreground",
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
}
