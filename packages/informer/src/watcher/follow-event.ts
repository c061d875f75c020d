import type { KubeObject, Live } from "@typekube/api";
import type { KubeError } from "@typekube/core";

/**
 * What following a collection tells. The first picture comes as `initial` events and ends with `synced`; from then on
 * `applied` and `deleted` follow every change.
 *
 * After a `gap` continuity is lost and a new picture begins: `initial` ... `synced`. What one had stays the best
 * knowledge until that `synced`; then whatever was not among the `initial` ones is gone.
 */
export type FollowEvent<T extends KubeObject = KubeObject> =
  | { readonly type: "initial"; readonly object: Live<T> }
  | { readonly type: "synced"; readonly resourceVersion: string }
  /** @property created - it was not there, or not chosen by the selectors, before; said where versions have an order. */
  | { readonly type: "applied"; readonly object: Live<T>; readonly created?: true | undefined }
  /** The last state of an object that is gone; before `synced` it takes back an `initial`. */
  | { readonly type: "deleted"; readonly object: Live<T> }
  /** Nothing changed up to this version. */
  | { readonly type: "bookmark"; readonly resourceVersion: string }
  | { readonly type: "gap"; readonly cause: KubeError };
