import type { KubeObject, Live } from "@typekube/api";
import { isForbidden, isMethodNotAllowed } from "@typekube/core";
import { assertOptionValues } from "@typekube/core/internal";
import { assertCallOptionNames } from "../options/any-call-options.js";
import { assertIsOptions } from "../options/call-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import {
  type ApplyAllOptions,
  type ApplyObjectOptions,
  applyObjectOptions,
} from "../options/manifest-options.js";
import type { ApplyOptions } from "../options/write-options.js";
import { wasCreated } from "../response/created.js";
import type { AppliedObject, FailedObject } from "../response/manifest-result.js";
import { applyResult } from "../write/apply-result.js";
import type { ManifestClient } from "./manifest-client.js";
import { atPlace, type ManifestPlace } from "./manifest-place.js";
import {
  type DefinitionManifest,
  failedObject,
  type IndexedManifest,
  inApplyOrder,
  isDefinition,
  isNamespace,
} from "./manifest-set.js";
import { Series, settled } from "./series.js";
import { defaultKindsTimeoutMs, waitForKinds } from "./wait-for-kinds.js";

/** Called with the live object before an apply; throws to prevent the apply. */
export type BeforeApply = (live: Live<KubeObject> | undefined) => void;

/** Applies one object of any kind. After a definition, waits until its kinds are served. */
export async function applyOne(
  client: ManifestClient,
  manifest: KubeObject,
  options: ApplyObjectOptions,
): Promise<Live<KubeObject>> {
  assertIsOptions(options);
  assertCallOptionNames(options);
  const { kindsTimeoutMs = defaultKindsTimeoutMs } = options;
  assertOptionValues({ kindsTimeoutMs }, applyObjectOptions);
  try {
    return await atPlace(client, manifest, options, async (place) => {
      const object = await place.operations.apply(manifest, options);
      if (kindsTimeoutMs > 0 && !isDryRun(client, options) && isDefinition(manifest)) {
        await waitForKinds(client, manifest, place, kindsTimeoutMs, options);
      }
      return object;
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw failedObject({ index: 0, manifest }, error, 1).error;
  }
}

/**
 * Applies manifests one after another: namespaces and definitions first, then, once their kinds are served, the rest. A
 * failure does not stop the rest.
 */
export async function applyEach(
  client: ManifestClient,
  set: readonly IndexedManifest[],
  options: ApplyAllOptions,
  beforeApply?: BeforeApply,
): Promise<(AppliedObject | FailedObject)[]> {
  const { kindsTimeoutMs = defaultKindsTimeoutMs, signal } = options;
  const series = new Series<AppliedObject>(options);
  const isDry = isDryRun(client, options);
  const isWaiting = kindsTimeoutMs > 0 && !isDry;
  const definitions: [IndexedManifest, DefinitionManifest, ManifestPlace][] = [];
  const guarded = async (one: IndexedManifest, work: () => Promise<AppliedObject | undefined>) => {
    let result: AppliedObject | FailedObject | undefined;
    try {
      result = await work();
    } catch (error) {
      signal?.throwIfAborted();
      result = failedObject(one, error, set.length);
    }
    // Outside of the try: an error from the caller's `onResult` is not a failure of the manifest.
    if (result) {
      series.note(result);
    }
  };
  const untilServed = async () => {
    for (const [one, definition, place] of definitions.splice(0)) {
      await guarded(one, async () => {
        await waitForKinds(client, definition, place, kindsTimeoutMs, options);
        return undefined;
      });
    }
  };
  for (const one of inApplyOrder(set)) {
    if (!isDefinition(one.manifest) && !isNamespace(one.manifest)) {
      await untilServed();
    }
    const apply = async (place: ManifestPlace) => {
      const result = await applied(client, place, one, options, isDry, beforeApply);
      if (isWaiting && isDefinition(one.manifest)) {
        definitions.push([one, one.manifest, place]);
      }
      return { index: one.index, ...result };
    };
    await guarded(one, () => atPlace(client, one.manifest, options, apply));
  }
  await untilServed();
  return settled(series, options);
}

function isDryRun(client: ManifestClient, { dryRun }: ApplyOptions): boolean {
  return (dryRun ?? client.defaults.dryRun) !== undefined;
}

async function applied(
  client: ManifestClient,
  { operations, name }: ManifestPlace,
  { manifest }: IndexedManifest,
  options: ApplyAllOptions,
  isDry: boolean,
  beforeApply: BeforeApply | undefined,
): Promise<Pick<AppliedObject, "object" | "outcome">> {
  let before: Live<KubeObject> | undefined;
  let isKnown = true;
  try {
    before = await operations.find(name, callOptionsOf(options));
  } catch (error) {
    if (!isForbidden(error) && !isMethodNotAllowed(error)) {
      throw error;
    }
    isKnown = false;
  }
  beforeApply?.(before);
  const object = await operations.apply(manifest, options);
  if (!isKnown) {
    return { outcome: wasCreated(object) ? "created" : "applied", object };
  }
  const { type } = await applyResult(before, object, isDry);
  if (
    type !== "created" &&
    before !== undefined &&
    object.metadata.deletionTimestamp !== undefined
  ) {
    const what = `${object.kind} "${name}"`;
    client.warn(options, `${what} is being deleted, and the applied fields with it`);
  }
  return { outcome: type, object };
}
