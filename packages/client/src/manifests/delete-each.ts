import type { KubeObject } from "@typekube/api";
import { isNotFound, KubeError } from "@typekube/core";
import type { DeleteAllOptions } from "../options/manifest-options.js";
import type { DeletedObject, FailedObject } from "../response/manifest-result.js";
import type { ManifestClient } from "./manifest-client.js";
import { atPlace } from "./manifest-place.js";
import {
  failedObject,
  type IndexedManifest,
  inApplyOrder,
  isDefinition,
  kindsOf,
} from "./manifest-set.js";
import { poll } from "./poll.js";
import { Series, settled } from "./series.js";

/** A requested deletion, and the check whether the object is gone. */
interface Leaving {
  readonly one: IndexedManifest;
  readonly result: DeletedObject;
  isGone(): Promise<boolean>;
}

/** Deletes objects in reverse apply order. A failure does not stop the rest. */
export async function deleteEach(
  client: ManifestClient,
  set: readonly IndexedManifest[],
  options: DeleteAllOptions,
): Promise<(DeletedObject | FailedObject)[]> {
  const { goneTimeoutMs = 0, signal } = options;
  const series = new Series<DeletedObject>(options);
  const leaving: Leaving[] = [];
  for (const one of inApplyOrder(set).toReversed()) {
    let left: Leaving | undefined;
    let result: DeletedObject | FailedObject;
    try {
      left = await deleteOne(client, one, set, options);
      result = left.result;
    } catch (error) {
      signal?.throwIfAborted();
      result = failedObject(one, error, set.length);
    }
    // Outside of the try: an error from the caller's `onResult` is not a failure of the manifest.
    series.note(result);
    if (left && result.outcome === "terminating") {
      leaving.push(left);
    }
  }
  const isDry = (options.dryRun ?? client.defaults.dryRun) !== undefined;
  if (goneTimeoutMs > 0 && !isDry) {
    await untilGone(client, leaving, goneTimeoutMs, signal, set.length, series);
  }
  return settled(series, options);
}

async function deleteOne(
  client: ManifestClient,
  one: IndexedManifest,
  set: readonly IndexedManifest[],
  options: DeleteAllOptions,
): Promise<Leaving> {
  const { index, manifest } = one;
  const { apiVersion = "", kind = "", metadata } = manifest ?? {};
  const target = {
    index,
    apiVersion,
    kind,
    namespace: metadata?.namespace,
    name: metadata?.name ?? "",
  };
  let placed: typeof target | undefined;
  try {
    return await atPlace(client, manifest, options, async ({ operations, name, namespace }) => {
      placed = { ...target, namespace };
      const deletion = await operations.delete(name, options);
      const { object } = deletion;
      const uid =
        deletion.type === "deleted" && deletion.status
          ? deletion.status.details?.uid
          : object?.metadata?.uid;
      return {
        one,
        result: { ...placed, outcome: deletion.type, object },
        isGone: async () => {
          const now = await operations.metadata().find(name, { signal: options.signal });
          return now === undefined || now.metadata.uid !== uid;
        },
      };
    });
  } catch (error) {
    // Deleting a definition also deletes its objects. Any other kind that is not served is an error.
    if (isNotFound(error) && (placed !== undefined || isDefinedIn(set, manifest))) {
      const result = { ...(placed ?? target), outcome: "absent" } as const;
      return { one, result, isGone: async () => true };
    }
    throw error;
  }
}

function isDefinedIn(set: readonly IndexedManifest[], manifest: KubeObject): boolean {
  return set.some(
    (one) =>
      isDefinition(one.manifest) &&
      kindsOf(one.manifest).some(
        ({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind,
      ),
  );
}

/** Waits for all objects together, in any order. */
async function untilGone(
  { clock }: ManifestClient,
  leaving: Leaving[],
  timeoutMs: number,
  signal: AbortSignal | undefined,
  count: number,
  series: Series<DeletedObject>,
): Promise<void> {
  await poll(clock, timeoutMs, signal, async () => {
    for (const left of [...leaving]) {
      let result: DeletedObject | FailedObject = { ...left.result, outcome: "deleted" };
      try {
        if (!(await left.isGone())) {
          continue;
        }
      } catch (error) {
        signal?.throwIfAborted();
        // Its kind was removed before this check.
        if (!isNotFound(error)) {
          result = failedObject(left.one, error, count);
        }
      }
      leaving.splice(leaving.indexOf(left), 1);
      series.note(result);
    }
    return leaving.length === 0 || undefined;
  });
  for (const { one } of leaving) {
    const error = new KubeError(
      "DeadlineExceeded",
      `the object was deleted but still exists after ${timeoutMs} ms`,
      {
        hint: "finalizers of the object may delay the deletion; raise goneTimeoutMs to wait longer",
      },
    );
    series.note(failedObject(one, error, count));
  }
}
