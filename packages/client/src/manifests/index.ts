import { assertOptionValues } from "@typekube/core/internal";
import { assertCallOptionNames } from "../options/any-call-options.js";
import type { ApplyAndPruneOptions, DiffOptions } from "../options/apply-set-options.js";
import {
  type ApplyAllOptions,
  applyAllOptions,
  type DeleteAllOptions,
  deleteAllOptions,
} from "../options/manifest-options.js";
import type { AppliedObject, DeletedObject, FailedObject } from "../response/manifest-result.js";
import { type ApplyAndPruneResult, applyAndPruneEach } from "./apply-and-prune.js";
import { applyEach } from "./apply-each.js";
import { assertChecked } from "./assert-checked.js";
import { deleteEach } from "./delete-each.js";
import { diffEach, type ManifestsDiff } from "./diff-each.js";
import type { ManifestClient } from "./manifest-client.js";
import { type Manifests, readManifestSet } from "./manifest-set.js";

// Loaded by the first call that takes many objects.

/** Reads manifests and applies them. */
export async function applyAll(
  client: ManifestClient,
  manifests: Manifests,
  options: ApplyAllOptions,
): Promise<(AppliedObject | FailedObject)[]> {
  assertCallOptionNames(options);
  const { check, kindsTimeoutMs } = options;
  assertOptionValues({ check, kindsTimeoutMs }, applyAllOptions);
  await assertChecked(manifests, options);
  return applyEach(client, await readManifestSet(manifests, options), options);
}

/** Reads manifests, applies them as a set and prunes. */
export async function applyAndPrune(
  client: ManifestClient,
  manifests: Manifests,
  options: ApplyAndPruneOptions,
): Promise<ApplyAndPruneResult> {
  assertCallOptionNames(options);
  const { check, kindsTimeoutMs } = options;
  assertOptionValues({ check, kindsTimeoutMs }, applyAllOptions);
  await assertChecked(manifests, options);
  return applyAndPruneEach(client, await readManifestSet(manifests, options), options);
}

/** Reads manifests and deletes their objects. */
export async function deleteAll(
  client: ManifestClient,
  manifests: Manifests,
  options: DeleteAllOptions,
): Promise<(DeletedObject | FailedObject)[]> {
  assertCallOptionNames(options);
  assertOptionValues({ goneTimeoutMs: options.goneTimeoutMs }, deleteAllOptions);
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
