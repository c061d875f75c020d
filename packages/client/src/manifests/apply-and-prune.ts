import type { KubeObject, Live } from "@typekube/api";
import { ConfigMap } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import type { ApplyAndPruneOptions } from "../options/apply-set-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import type { AppliedObject } from "../response/manifest-result.js";
import { assertWhole } from "../write/assert-whole.js";
import { applyEach } from "./apply-each.js";
import {
  applySetId,
  asMember,
  assertNotOfAnother,
  groupKindOf,
  type Inventory,
  inventoryOf,
  parentOf,
} from "./apply-set.js";
import type { ManifestClient } from "./manifest-client.js";
import { atPlace } from "./manifest-place.js";
import { type IndexedManifest, reworded } from "./manifest-set.js";
import { findMembers, type KeptObject, type PrunedObject, pruneEach } from "./prune.js";

/** Result of `applyAndPrune`. With a dry run it describes what would happen. */
export interface ApplyAndPruneResult {
  /** The outcome for each manifest, in the order of the manifests. */
  readonly applied: readonly AppliedObject[];
  /** Members of the set that were deleted because no manifest describes them any more. */
  readonly pruned: readonly PrunedObject[];
  /** Objects with the label of the set that were not deleted, each with the reason. */
  readonly kept: readonly KeptObject[];
}

/** Field manager of parent ConfigMaps. The managers that apply the members may change. */
const parentManager = "typekube-applyset";

/** Applies the manifests as members of a set, then deletes the members that are not in the manifests. */
export async function applyAndPruneEach(
  client: ManifestClient,
  set: readonly IndexedManifest[],
  options: ApplyAndPruneOptions,
): Promise<ApplyAndPruneResult> {
  const { name, namespace = client.namespace } = options.applySet;
  if (set.length === 0 && !options.allowEmpty) {
    throw new KubeError(
      "InvalidArgument",
      `no manifests given: this would delete all members of "${name}"`,
      {
        hint: "set allowEmpty to delete them",
      },
    );
  }
  for (const { manifest } of set) {
    // A member gets a copy of the metadata, which no later check recognizes.
    assertWhole(manifest, `the ${manifest.kind} ${manifest.metadata?.name}`);
  }
  const id = applySetId(name, namespace);
  const parents = client.operations(ConfigMap, namespace);
  const before = inventoryOf(await parents.find(name, callOptionsOf(options)), id);
  const now = await inventoryOfSet(client, set, options);
  const all = union(before, now);
  const isDry = (options.dryRun ?? client.defaults.dryRun) !== undefined;
  const keep = async (inventory: Inventory) => {
    if (!isDry) {
      const parent = parentOf({ name, namespace }, inventory);
      const who = { fieldManager: parentManager, force: true };
      await parents.apply(parent, { ...callOptionsOf(options), ...who });
    }
  };
  // Written before the first member, so that everything that may be a member is found again, whatever happens.
  await keep(all);
  const members = set.map(({ index, manifest }) => ({ index, manifest: asMember(manifest, id) }));
  const check = (live: Live<KubeObject> | undefined) => assertNotOfAnother(live, id);
  const applied = (await applyEach(
    client,
    members,
    { ...options, onFailure: "throw" },
    check,
  )) as AppliedObject[];

  try {
    const homes = new Set([namespace, ...all.namespaces]);
    const found = await findMembers(client, id, { ...all, namespaces: homes }, options);
    const isApplied = new Set(
      applied.flatMap(({ object }) => [object.metadata.uid, keyOf(object, object)]),
    );
    const { pruned, kept } = await pruneEach(
      client,
      found.members.filter(
        ({ object, descriptor }) =>
          !isApplied.has(object.metadata.uid) && !isApplied.has(keyOf(descriptor, object)),
      ),
      options,
    );
    await keep(union(now, leftOver(found.unserved, kept, before)));
    return { applied, pruned, kept };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw afterApply(KubeError.from(error), applied);
  }
}

/** Returns what stays in the inventory: kinds that are not served, and objects that were kept. */
function leftOver(
  unserved: readonly string[],
  kept: readonly KeptObject[],
  before: Inventory,
): Inventory {
  const homes = kept.flatMap(({ namespace }) => (namespace === undefined ? [] : [namespace]));
  return {
    groupKinds: new Set([...unserved, ...kept.map(groupKindOf)]),
    namespaces: new Set(unserved.length > 0 ? before.namespaces : homes),
  };
}

/** Identifies an object by kind, namespace and name, even if it was recreated in between. */
function keyOf(
  kind: Pick<KubeObject, "apiVersion" | "kind">,
  { metadata }: Live<KubeObject>,
): string {
  return `${groupKindOf(kind)} ${metadata.namespace ?? ""}/${metadata.name}`;
}

/** Builds the error for a failure to prune. `manifestResults` returns from it what was applied. */
function afterApply(error: KubeError, applied: readonly AppliedObject[]): KubeError {
  const errors = error.cause instanceof AggregateError ? error.cause.errors : [error];
  const cause = new AggregateError(errors, "some objects could not be pruned");
  return reworded(
    error,
    "all manifests were applied, but pruning failed: ",
    Object.assign(cause, { results: applied }),
  );
}

async function inventoryOfSet(
  client: ManifestClient,
  set: readonly IndexedManifest[],
  options: ApplyAndPruneOptions,
): Promise<Inventory> {
  const groupKinds = new Set<string>();
  const namespaces = new Set<string>();
  for (const { manifest } of set) {
    groupKinds.add(groupKindOf(manifest));
    // A kind that these manifests define is not served yet.
    const place = await atPlace(client, manifest, options, async (found) => found).catch(
      () => undefined,
    );
    const home = place ? place.namespace : manifest.metadata?.namespace || client.namespace;
    if (home !== undefined) {
      namespaces.add(home);
    }
  }
  return { groupKinds, namespaces };
}

function union(one: Inventory, other: Inventory): Inventory {
  return {
    groupKinds: new Set([...one.groupKinds, ...other.groupKinds]),
    namespaces: new Set([...one.namespaces, ...other.namespaces]),
  };
}
