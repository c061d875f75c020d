import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { hasFieldPath, isNotFound, KubeError, readFieldsV1 } from "@typekube/core";
import type { ApplyAndPruneOptions } from "../options/apply-set-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import type { ManifestTarget } from "../response/manifest-result.js";
import { defaultFieldManager } from "../write/default-field-manager.js";
import { groupKindOf, type Inventory, partOfLabel } from "./apply-set.js";
import type { ManifestClient } from "./manifest-client.js";
import { inApplyOrder, reworded } from "./manifest-set.js";

/** A pruned member: it is no longer in the manifests. */
export interface PrunedObject extends ManifestTarget {
  /** `absent` when someone else deleted it first. */
  readonly outcome: "absent" | "deleted" | "terminating";
}

/** An object with the label of the set that was not deleted. */
export interface KeptObject extends ManifestTarget {
  /** Sentence for people about why the object was kept. */
  readonly reason: string;
}

/** An object with the label of a set. */
export interface Member {
  readonly object: Live<KubeObject>;
  readonly descriptor: ResourceDescriptor;
}

const partOfPath = [{ field: "metadata" }, { field: "labels" }, { field: partOfLabel }];

/** Finds every object with the label of the set, in the kinds and namespaces of its inventory. */
export async function findMembers(
  client: ManifestClient,
  id: string,
  { groupKinds, namespaces }: Inventory,
  options: ApplyAndPruneOptions,
): Promise<{ readonly members: Member[]; readonly unserved: string[] }> {
  const { resources } = await client.discovery.served(options);
  const members: Member[] = [];
  const unserved: string[] = [];
  for (const groupKind of groupKinds) {
    // The server's preferred version comes first.
    const descriptor = resources.find(
      (one) => groupKindOf(one) === groupKind && one.verbs.includes("list"),
    );
    if (descriptor === undefined) {
      unserved.push(groupKind);
      continue;
    }
    for (const namespace of descriptor.scope === "Namespaced" ? namespaces : [undefined]) {
      const view = client.operations(descriptor, namespace).metadata();
      const labelSelector = { [partOfLabel]: id };
      for await (const object of view.items({ ...callOptionsOf(options), labelSelector })) {
        members.push({ object, descriptor });
      }
    }
  }
  return { members, unserved };
}

/**
 * Deletes members, each with its UID as a precondition.
 *
 * @throws {KubeError} the first failure, once every member was attempted.
 */
export async function pruneEach(
  client: ManifestClient,
  members: readonly Member[],
  options: ApplyAndPruneOptions,
): Promise<{ readonly pruned: PrunedObject[]; readonly kept: KeptObject[] }> {
  const manager =
    options.fieldManager ?? client.defaults.fieldManager ?? (await defaultFieldManager());
  const pruned: PrunedObject[] = [];
  const kept: KeptObject[] = [];
  const failures: KubeError[] = [];
  const indexed = members.map(({ object, descriptor }, index) => {
    const { apiVersion, kind } = descriptor;
    return { index, manifest: { ...object, apiVersion, kind }, descriptor };
  });
  for (const { index } of inApplyOrder(indexed).toReversed()) {
    const member = members[index];
    if (member === undefined) {
      continue;
    }
    const target = targetOf(member);
    const reason = reasonToKeep(member.object, manager);
    if (reason) {
      kept.push({ ...target, reason });
      continue;
    }
    try {
      pruned.push({ ...target, outcome: await pruneOne(client, member, options) });
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.push(reworded(KubeError.from(error), `pruning ${target.kind} "${target.name}": `));
    }
  }
  const [first] = failures;
  if (first) {
    throw reworded(first, "", new AggregateError(failures, "some objects could not be pruned"));
  }
  return { pruned, kept };
}

async function pruneOne(
  client: ManifestClient,
  { object, descriptor }: Member,
  options: ApplyAndPruneOptions,
): Promise<PrunedObject["outcome"]> {
  const { name, namespace, uid } = object.metadata;
  const { dryRun, propagationPolicy } = options;
  const operations = client.operations(descriptor, namespace);
  try {
    const { type } = await operations.delete(name, {
      ...callOptionsOf(options),
      dryRun,
      propagationPolicy,
      preconditions: { uid },
    });
    return type;
  } catch (error) {
    if (isNotFound(error)) {
      return "absent";
    }
    throw error;
  }
}

/**
 * Returns the reason not to delete an object, if any. Controllers copy labels (those of a Service to its
 * EndpointSlices): only objects that this manager applied with the label belong to it.
 */
function reasonToKeep({ metadata }: Live<KubeObject>, manager: string): string | undefined {
  if (metadata.deletionTimestamp !== undefined) {
    return "the object is already being deleted";
  }
  const isOwn = (metadata.managedFields ?? []).some(
    ({ operation, manager: who, fieldsV1, subresource }) =>
      operation === "Apply" &&
      who === manager &&
      !subresource &&
      fieldsV1 !== undefined &&
      hasFieldPath(readFieldsV1(fieldsV1), partOfPath),
  );
  return isOwn
    ? undefined
    : `the field manager "${manager}" has not applied the object with the label of the ApplySet`;
}

function targetOf({ object, descriptor }: Member): ManifestTarget {
  const { apiVersion, kind } = descriptor;
  const { name, namespace } = object.metadata;
  return { apiVersion, kind, namespace, name };
}
