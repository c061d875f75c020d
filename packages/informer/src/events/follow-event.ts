import type { KubeObject, Live } from "@typekube/api";
import type { KubeError } from "@typekube/core";

/**
 * Events of a followed collection. The first snapshot arrives as `initial` events and ends with `synced`. From then on,
 * `applied` and `deleted` report every change; with the option `poll`, the differences from one list to the next.
 *
 * A `gap` means that continuity is lost and a new snapshot begins: `initial` ... `synced`. Until that `synced`, the
 * previous state remains the best one known; after it, every object that had no `initial` event is gone.
 */
export type FollowEvent<T extends KubeObject = KubeObject> =
  | { readonly type: "initial"; readonly object: Live<T> }
  | { readonly type: "synced"; readonly resourceVersion: string }
  /**
   * A new or changed object. `created` is `true` when it did not exist before, or did not match the selectors; set where
   * resourceVersions have an order, and with `poll`.
   */
  | { readonly type: "applied"; readonly object: Live<T>; readonly created?: true | undefined }
  /**
   * The final state of a deleted object; with `poll`, the last listed one. Before `synced` it revokes an `initial`
   * event.
   */
  | { readonly type: "deleted"; readonly object: Live<T> }
  /** Nothing changed up to this resourceVersion. */
  | { readonly type: "bookmark"; readonly resourceVersion: string }
  | { readonly type: "gap"; readonly cause: KubeError };
