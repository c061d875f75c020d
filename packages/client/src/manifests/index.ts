import { assertMilliseconds } from "../call-options.js";
import type { ClientContext } from "../client-context.js";
import { assertCallOptionNames } from "../known-options.js";
import { type ApplyAndPruneResult, applyAndPruneEach } from "./apply-and-prune.js";
import type { ApplyAndPruneOptions } from "./apply-and-prune-options.js";
import { applyEach } from "./apply-each.js";
import { deleteEach } from "./delete-each.js";
import { type DiffOptions, diffEach, type ManifestsDiff } from "./diff-each.js";
import type {
  AppliedObject,
  ApplyAllOptions,
  DeleteAllOptions,
  DeletedObject,
  FailedObject,
  Manifests,
} from "./manifest-result.js";
import { readManifestSet } from "./manifest-set.js";

// Loaded by the first call that is about many objects.

/** Reads and applies. */
export async function applyAll(
  context: ClientContext,
  manifests: Manifests,
  options: ApplyAllOptions,
): Promise<(AppliedObject | FailedObject)[]> {
  assertCallOptionNames(options);
  assertMilliseconds("kindsTimeoutMs", options.kindsTimeoutMs);
  return applyEach(context, await readManifestSet(manifests, options), options);
}

/** Reads, applies as a set and prunes. */
export async function applyAndPrune(
  context: ClientContext,
  manifests: Manifests,
  options: ApplyAndPruneOptions,
): Promise<ApplyAndPruneResult> {
  assertCallOptionNames(options);
  assertMilliseconds("kindsTimeoutMs", options.kindsTimeoutMs);
  return applyAndPruneEach(context, await readManifestSet(manifests, options), options);
}

/** Reads and deletes. */
export async function deleteAll(
  context: ClientContext,
  manifests: Manifests,
  options: DeleteAllOptions,
): Promise<(DeletedObject | FailedObject)[]> {
  assertCallOptionNames(options);
  assertMilliseconds("goneTimeoutMs", options.goneTimeoutMs);
  return deleteEach(context, await readManifestSet(manifests, options), options);
}

/** Reads and compares. */
export async function diff(
  context: ClientContext,
  manifests: Manifests,
  options: DiffOptions,
): Promise<ManifestsDiff> {
  assertCallOptionNames(options);
  return diffEach(context, await readManifestSet(manifests, options), options);
}
