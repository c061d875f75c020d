import type { KubeObject, Live } from "@typekube/api";
import { isConflict, isNotFound } from "@typekube/core";
import { objectKey } from "@typekube/informer";
import { kindId } from "../../definition/any-kind.js";
import { deleteChild } from "../context/delete-child.js";
import { operationsIn, type RunContext } from "../context/run-context.js";
import type { RunState } from "../context/run-state.js";
import { controllerLabel, ownerLabel } from "./desired-child.js";

/**
 * Deletes the objects that an earlier run applied for an owner and this run did not: of the kinds in `owns`, with the
 * owner's uid, our label and our field manager. Each delete is bound to the state that was checked. Kinds that the run
 * found absent are left alone: the server may serve them again by now.
 */
export async function prune(
  context: RunContext,
  state: RunState,
  owner: Live<KubeObject>,
): Promise<void> {
  const { applied, absentKinds } = state;
  const isLeft = ({ id, kind }: Child) => !applied.has(id) && !absentKinds.has(kindId(kind.kind));
  for (const child of childrenOf(context, owner).filter(isLeft)) {
    await pruneOne(context, state, child);
  }
}

/**
 * Deletes all objects that carry the owner's label, in reverse order of the kinds: nothing else deletes them.
 *
 * @returns `true` when none of ours is left; copies that somebody made don't count.
 */
export async function pruneLabelled(
  context: RunContext,
  state: RunState,
  owner: Live<KubeObject>,
): Promise<boolean> {
  const all = childrenOf(context, owner)
    .filter(({ object }) => object.metadata.labels?.[ownerLabel] === owner.metadata.uid)
    .reverse();
  let isDone = true;
  for (const child of all) {
    if (await pruneOne(context, state, child)) {
      isDone = false;
    }
  }
  return isDone;
}

interface Child {
  readonly id: string;
  readonly object: Live<KubeObject>;
  readonly kind: RunContext["controller"]["owns"][number];
}

function childrenOf({ controller, children }: RunContext, owner: Live<KubeObject>): Child[] {
  return controller.owns.flatMap((kind) =>
    (children.get(kindId(kind.kind))?.get(owner.metadata.uid) ?? [])
      .filter(
        ({ metadata }) =>
          metadata.labels?.[controllerLabel] === controller.name &&
          metadata.deletionTimestamp === undefined,
      )
      .map((object) => ({ id: `${kindId(kind.kind)} ${objectKey(object)}`, object, kind })),
  );
}

/** Deletes a child if it is ours; returns whether it is. */
async function pruneOne(
  context: RunContext,
  state: RunState,
  { id, object, kind }: Child,
): Promise<boolean> {
  const { name, namespace, uid } = object.metadata;
  const operations = operationsIn(context, kind.kind, namespace);
  // The cache has no managedFields, which tell who applied the object.
  const found = await operations
    .metadata()
    .find(name)
    .catch((error: unknown) => {
      // Its definition went, and all objects with it.
      if (isNotFound(error)) {
        return undefined;
      }
      throw error;
    });
  const isOurs =
    found?.metadata.uid === uid &&
    found.metadata.managedFields?.some(
      ({ manager, operation }) => manager === context.controller.name && operation === "Apply",
    );
  if (found === undefined || isOurs !== true) {
    return false;
  }
  const { resourceVersion } = found.metadata;
  try {
    await deleteChild(context, state, kind.kind, found, {
      preconditions: { uid, resourceVersion },
    });
  } catch (error) {
    // Somebody changed it in between; the change causes another run.
    if (!isConflict(error) && !isNotFound(error)) {
      throw error;
    }
  }
  context.applied.forget(id);
  return true;
}
