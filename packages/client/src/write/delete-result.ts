import type { KubeObject, Live } from "@typekube/api";
import { isStatus, type Status } from "@typekube/core";
import { errorFromStatus } from "@typekube/core/internal";

/** The outcome of a delete request. With `dryRun` the outcome that it would have; the object then stays unchanged. */
export type DeleteResult<T extends KubeObject = KubeObject> =
  | {
      /** The object no longer exists; with `dryRun`, it would no longer exist. */
      readonly type: "deleted";
      /** Its last state, where the server returned it (pods, services, service accounts …). */
      readonly object: Live<T> | undefined;
      /** The server's Status, where it returned one instead of the object; `details.uid` identifies the object. */
      readonly status: Status | undefined;
    }
  | {
      /** The object still exists: finalizers or a grace period delay its removal. */
      readonly type: "terminating";
      /** Its current state, with `metadata.deletionTimestamp`. */
      readonly object: Live<T>;
    };

/**
 * Reads the response to a delete: servers send a Status for most kinds, and the object for some.
 *
 * @throws {KubeError} for a Status that reports Failure.
 */
export function readDeleteResult(response: KubeObject | Status): DeleteResult {
  if (isStatus(response)) {
    if (response.status === "Failure") {
      throw errorFromStatus(response);
    }
    return { type: "deleted", object: undefined, status: response };
  }
  const object = response as Live<KubeObject>;
  return isTerminating(object)
    ? { type: "terminating", object }
    : { type: "deleted", object, status: undefined };
}

function isTerminating(object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = object.metadata ?? {};
  if (deletionTimestamp === undefined) {
    return false;
  }
  // Namespaces keep their finalizers in the spec.
  const { spec } = object as { readonly spec?: { readonly finalizers?: readonly string[] } };
  const isHeld = finalizers.length > 0 || (spec?.finalizers?.length ?? 0) > 0;
  return isHeld || deletionGracePeriodSeconds !== 0;
}
