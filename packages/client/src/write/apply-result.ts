import type { KubeObject, Live } from "@typekube/api";
import { loadOnce } from "@typekube/core/internal";
import { wasCreated } from "../response/created.js";

const loadServerFields = loadOnce(() => import("./server-fields.js"));

/** The outcome of a server-side apply. */
export interface ApplyResult<T extends KubeObject = KubeObject> {
  /**
   * `created`; `changed` when the resourceVersion changed between the read before the apply and the apply, which may also be another
   * writer's change; `unchanged`.
   */
  readonly type: "changed" | "created" | "unchanged";
  /** The object after the apply. */
  readonly object: Live<T>;
}

/**
 * Compares an applied object with its previous state.
 *
 * @param before - the object as read just before the apply; `undefined` when it did not exist.
 * @param isDry - the apply was a dry run, which keeps the resourceVersion.
 */
export async function applyResult(
  before: Live<KubeObject> | undefined,
  object: Live<KubeObject>,
  isDry: boolean,
): Promise<ApplyResult> {
  if (wasCreated(object)) {
    return { type: "created", object };
  }
  if (before === undefined) {
    // Another writer created it in between.
    return { type: "changed", object };
  }
  // A write that removes the last finalizer deletes the object and keeps its resourceVersion, too.
  const isSame =
    isDry || object.metadata.deletionTimestamp !== undefined
      ? (await loadServerFields()).equalExceptServerFields(before, object)
      : before.metadata.uid === object.metadata.uid &&
        before.metadata.resourceVersion === object.metadata.resourceVersion;
  return { type: isSame ? "unchanged" : "changed", object };
}
