import type { KubeObject } from "@typekube/api";
import { isNotFound, toYaml } from "@typekube/core";
import { type JsonObject, jsonEqual } from "@typekube/core/internal";
import type { DiffOptions } from "../options/apply-set-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import type { FailedObject, ManifestTarget } from "../response/manifest-result.js";
import { withoutServerFields } from "../write/server-fields.js";
import { applySetId, asMember } from "./apply-set.js";
import type { ManifestClient } from "./manifest-client.js";
import { atPlace } from "./manifest-place.js";
import {
  failedObject,
  type IndexedManifest,
  inApplyOrder,
  isDefinition,
  isNamespace,
  kindsOf,
  reworded,
} from "./manifest-set.js";
import { shownPair, withoutGeneratedValues } from "./shown-object.js";
import { unifiedDiff } from "./unified-diff.js";

/** The changes that an apply would make to one object. */
export interface ObjectDiff extends ManifestTarget {
  /** Index among the manifests, from 0. */
  readonly index: number;
  /** `created` when the object does not exist yet; `unchanged` when the apply would not modify it. */
  readonly outcome: "changed" | "created" | "unchanged";
  /** The live object, without server-managed metadata and with the values of a Secret masked. */
  readonly before: JsonObject | undefined;
  /** The object after the apply. */
  readonly after: JsonObject;
  /** Unified diff of both objects as YAML; empty when nothing would change. */
  readonly text: string;
}

/** The changes that an apply would make. */
export interface ManifestsDiff {
  /** `true` when any object would change. */
  readonly hasChanges: boolean;
  /** The objects, in the order of the manifests. */
  readonly objects: readonly ObjectDiff[];
  /** Manifests that could not be compared; empty unless `onFailure` is `"report"`. */
  readonly failed: readonly FailedObject[];
  /** Unified diff of all changes, in apply order; empty when nothing would change. */
  readonly text: string;
}

/** Compares each object with the result of a server-side dry run of its apply. */
export async function diffEach(
  client: ManifestClient,
  given: readonly IndexedManifest[],
  options: DiffOptions,
): Promise<ManifestsDiff> {
  const { applySet } = options;
  const id = applySet && applySetId(applySet.name, applySet.namespace ?? client.namespace);
  const set = given.map(({ index, manifest }) => ({
    index,
    manifest: id === undefined ? manifest : asMember(manifest, id),
  }));
  const found: ObjectDiff[] = [];
  const failed: FailedObject[] = [];
  for (const one of inApplyOrder(set)) {
    try {
      found.push(await diffOne(client, one, set, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      failed.push(failedObject(one, error, set.length));
    }
  }
  const [first] = failed;
  if (first && options.onFailure !== "report") {
    const errors = failed.map(({ error }) => error);
    const how = failed.length > 1 ? `${failed.length} of ${set.length} manifests failed; ` : "";
    const cause = new AggregateError(errors, "some manifests could not be compared");
    throw reworded(first.error, how, cause);
  }
  return {
    hasChanges: found.some(({ outcome }) => outcome !== "unchanged"),
    objects: found.toSorted((a, b) => a.index - b.index),
    failed,
    text: found.map(({ text }) => text).join(""),
  };
}

async function diffOne(
  client: ManifestClient,
  { index, manifest }: IndexedManifest,
  set: readonly IndexedManifest[],
  options: DiffOptions,
): Promise<ObjectDiff> {
  const { apiVersion = "", kind = "", metadata } = manifest ?? {};
  const target = { index, apiVersion, kind, name: metadata?.name ?? "" };
  try {
    return await atPlace(client, manifest, options, async ({ operations, name, namespace }) => {
      const live = await operations.find(name, callOptionsOf(options));
      const applied = await operations.apply(manifest, { ...options, dryRun: "All" });
      const after = withoutServerFields(applied);
      return live
        ? described({ ...target, namespace }, withoutServerFields(live), after)
        : described({ ...target, namespace }, undefined, withoutGeneratedValues(after, manifest));
    });
  } catch (error) {
    // A dry run creates no namespace and no kind that later objects could use: an object that needs a new one is
    // entirely new.
    if (isNotFound(error) && isFoundedIn(set, manifest, client.namespace)) {
      const namespace = metadata?.namespace || undefined;
      return described({ ...target, namespace }, undefined, withoutServerFields(manifest));
    }
    throw error;
  }
}

function isFoundedIn(
  set: readonly IndexedManifest[],
  manifest: KubeObject,
  defaultNamespace: string,
): boolean {
  const home = manifest.metadata?.namespace || defaultNamespace;
  return set.some(
    ({ manifest: one }) =>
      (isNamespace(one) && one.metadata?.name === home) ||
      (isDefinition(one) &&
        kindsOf(one).some(
          ({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind,
        )),
  );
}

function described(
  target: ManifestTarget & { readonly index: number },
  live: JsonObject | undefined,
  applied: JsonObject,
): ObjectDiff {
  const [before, after = applied] = shownPair(live, applied);
  const isSame = live !== undefined && jsonEqual(live, applied);
  const { apiVersion, kind, namespace, name } = target;
  const title = `${apiVersion}/${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  const titles = { before: before ? `${title} (live)` : "/dev/null", after: `${title} (applied)` };
  return {
    ...target,
    outcome: live === undefined ? "created" : isSame ? "unchanged" : "changed",
    before,
    after,
    text: isSame ? "" : unifiedDiff(before ? toYaml(before) : "", toYaml(after), titles),
  };
}
