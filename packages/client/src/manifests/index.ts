import { assertMilliseconds } from "../options/assert-call-options.js";
import { assertCallOptionNames } from "../options/known-options.js";
import { type ApplyAndPruneResult, applyAndPruneEach } from "./apply-and-prune.js";
import type { ApplyAndPruneOptions } from "./apply-and-prune-options.js";
import { applyEach } from "./apply-each.js";
import { deleteEach } from "./delete-each.js";
import { type DiffOptions, diffEach, type ManifestsDiff } from "./diff-each.js";
import type { ManifestClient } from "./manifest-client.js";
import type {
  AppliedObject,
  ApplyAllOptions,
  DeleteAllOptions,
  DeletedObject,
  FailedObject,
  Manifests,
} from "./manifest-result.js";
import { readManifestSet } from "./manifest-set.js";

// Loaded by the first call that takes many objects.

/** Reads manifests and applies them. */
export async function applyAll(
  client: ManifestClient,
  manifests: Manifests,
  options: ApplyAllOptions,
): Promise<(AppliedObject | FailedObject)[]> {
  assertCallOptionNames(options);
  assertMilliseconds("kindsTimeoutMs", options.kindsTimeoutMs);
  return applyEach(client, await readManifestSet(manifests, options), options);
}

/** Reads manifests, applies them as a set and prunes. */
export async function applyAndPrune(
  client: ManifestClient,
  manifests: Manifests,
  options: ApplyAndPruneOptions,
): Promise<ApplyAndPruneResult> {
  assertCallOptionNames(options);
  assertMilliseconds("kindsTimeoutMs", options.kindsTimeoutMs);
  return applyAndPruneEach(client, await readManifestSet(manifests, options), options);
}

/** Reads manifests and deletes their objects. */
export async function deleteAll(
  client: ManifestClient,
  manifests: Manifests,
  options: DeleteAllOptions,
): Promise<(DeletedObject | FailedObject)[]> {
  assertCallOptionNames(options);
  assertMilliseconds("goneTimeoutMs", options.goneTimeoutMs);
  return deleteEach(client, await readManifestSet(manifests, options), options);
}

/** Reads manifests and compares them with the live objects. */
export async function diff(
  client: ManifestClient,
  manifests: Manifests,
  options: DiffOptions,
): Promise<ManifestsDiff> {
  assertCallOptionNames(options);
  return diffEach(client, await readManifestSet(manifests, options), options);
}
