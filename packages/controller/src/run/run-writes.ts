import type { KubeObject, Live } from "@typekube/api";
import type {
  CreateOptions,
  DeleteOptions,
  DeleteResult,
  Patch,
  WriteOptions,
} from "@typekube/client";
import { isAlreadyExists, isConflict, isNotFound, KubeError } from "@typekube/core";
import { cloneJson, isJsonObject, jsonEqual, type Random, sleep } from "@typekube/core/internal";
import { type AnyKind, kindId } from "../definition/any-kind.js";
import { type KeyLike, keyOf } from "../definition/object-key.js";
import { deleteChild } from "./context/delete-child.js";
import { isOwnChange, isSameState } from "./context/is-own-change.js";
import {
  absenceOf,
  assertDeclared,
  assertServed,
  operationsIn,
  placeIn,
  type RunContext,
} from "./context/run-context.js";
import type { RunState } from "./context/run-state.js";

/** Attempts in total, the delay between them and its random share. (client-go's retry.DefaultRetry) */
const maxTries = 5;
const retryDelayMs = 10;
const retryJitter = 0.1;

/** Creates an object; see `Run.create`. */
export async function createIn(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  object: KubeObject,
  options: CreateOptions = {},
): Promise<Live<KubeObject>> {
  assertServed(context, kind);
  const namespace = object.metadata?.namespace ?? state.namespace;
  const created = await operationsIn(context, kind, namespace).create(object, options);
  expectEcho(context, state, kind, created, options);
  return created;
}

/** Patches an object; see `Run.patch`. */
export async function patchIn(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  name: KeyLike,
  patch: Patch,
  options: WriteOptions = {},
): Promise<Live<KubeObject>> {
  assertServed(context, kind);
  const place = placeIn(context, kind, keyOf(name), state.namespace);
  const before = known(context, state, kind, place.key);
  const cached = context.caches.get(kindId(kind))?.get(place.key);
  const operations = operationsIn(context, kind, place.namespace);
  const written = await operations.patch(place.name, patch, options);
  // Other patches don't show their fields without the object that they apply to.
  const fields = patch.kind === "merge" && isJsonObject(patch.body) ? patch.body : undefined;
  if (
    fields !== undefined &&
    before !== undefined &&
    !isSameState(cached, written) &&
    isOwnChange(context, kind, before, written, fields)
  ) {
    expectEcho(context, state, kind, written, options);
  }
  keep(context, state, kind, written, options);
  return written;
}

/** Replaces an object; see `Run.update`. */
export async function updateIn(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  object: KubeObject,
  options: WriteOptions = {},
  isRead = true,
): Promise<Live<KubeObject>> {
  assertServed(context, kind);
  const namespace = object.metadata?.namespace ?? state.namespace;
  const written = await operationsIn(context, kind, namespace).update(object, options);
  // With a resourceVersion nobody else can have changed the object that the run has read.
  if (isRead && object.metadata?.resourceVersion !== undefined && !isSameState(object, written)) {
    expectEcho(context, state, kind, written, options);
  }
  keep(context, state, kind, written, options);
  return written;
}

/** Deletes an object; see `Run.delete`. */
export async function deleteIn(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  name: KeyLike,
  options: DeleteOptions = {},
): Promise<DeleteResult | undefined> {
  assertDeclared(context, kind);
  if (absenceOf(context, kind) !== undefined) {
    return undefined;
  }
  const place = placeIn(context, kind, keyOf(name), state.namespace);
  const cached = known(context, state, kind, place.key);
  try {
    return cached === undefined
      ? await operationsIn(context, kind, place.namespace).delete(place.name, options)
      : await deleteChild(context, state, kind, cached, options);
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Target of `createOrUpdate`. */
export interface Wanted {
  readonly kind: AnyKind;
  readonly name: KeyLike;
  readonly change: (draft: Live<KubeObject>) => unknown;
}

/** Creates or updates an object; see `Run.createOrUpdate`. */
export async function createOrUpdateIn(
  context: RunContext,
  state: RunState,
  { kind, name, change }: Wanted,
  random: Random,
  options: WriteOptions = {},
): Promise<Live<KubeObject>> {
  assertServed(context, kind);
  const place = placeIn(context, kind, keyOf(name), state.namespace);
  const operations = operationsIn(context, kind, place.namespace);
  const cache = context.caches.get(kindId(kind));
  const isPartial = cache?.kind.view === "metadata" || cache?.projection !== undefined;
  const seen = known(context, state, kind, place.key);
  let before = isPartial ? await operations.find(place.name) : seen;
  // A newer state than the run has seen is news, so the watch must cause a run for what is written over it.
  const isRead = before?.metadata.resourceVersion === seen?.metadata.resourceVersion;
  for (let tries = 1; ; tries++) {
    const { name, namespace } = place;
    const fresh = { metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
    const draft = cloneJson(before ?? fresh) as Live<KubeObject>;
    assertSynchronous(change(draft));
    if (before !== undefined && jsonEqual(before, draft)) {
      return before;
    }
    try {
      return before === undefined
        ? await createIn(context, state, kind, draft, options)
        : await updateIn(context, state, kind, draft, options, isRead && tries === 1);
    } catch (error) {
      const isOvertaken = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
      if (!isOvertaken || tries === maxTries) {
        throw error;
      }
    }
    await sleep(context.clock, retryDelayMs * (1 + retryJitter * random()), state.signal);
    before = await operations.find(place.name);
  }
}

/** @throws {KubeError} `InvalidArgument` for a change that goes on after its return, when the object was compared. */
function assertSynchronous(returned: unknown): void {
  if (returned instanceof Promise) {
    returned.catch(() => {});
    throw new KubeError(
      "InvalidArgument",
      "the change of run.createOrUpdate() returned a promise",
      {
        hint: "wait for what it needs before the call",
      },
    );
  }
}

/** Returns the newest state of an object that the run knows. */
function known(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  key: string,
): Live<KubeObject> | undefined {
  const isOwn = kindId(kind) === kindId(context.controller.kind.kind) && key === state.key;
  return isOwn ? state.object : context.caches.get(kindId(kind))?.get(key);
}

/** Keeps a written state of the run's own object for its following writes. */
function keep(
  context: RunContext,
  state: RunState,
  kind: AnyKind,
  written: Live<KubeObject>,
  { dryRun }: WriteOptions,
): void {
  const isOwn =
    (dryRun === undefined || context.isDryRun === true) &&
    kindId(kind) === kindId(context.controller.kind.kind) &&
    written.metadata.uid === state.object?.metadata.uid;
  if (isOwn) {
    state.object = written;
  }
}

function expectEcho(
  context: RunContext,
  { key }: RunState,
  kind: AnyKind,
  written: Live<KubeObject>,
  { dryRun }: WriteOptions,
): void {
  if (dryRun === undefined) {
    context.ownWrites.expect(kindId(kind), written, key);
  }
}
