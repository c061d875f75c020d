import type { KubeObject, Live } from "@typekube/api";
import type { KubeError } from "@typekube/core";

/** The object that a manifest describes. */
export interface ManifestTarget {
  readonly apiVersion: string;
  readonly kind: string;
  /**
   * The namespace in the request; absent for a cluster-scoped kind, or when the manifest names none and the scope is
   * unknown.
   */
  readonly namespace?: string | undefined;
  /** `metadata.name` of the manifest; empty when the manifest has none. */
  readonly name: string;
}

/** The outcome of applying one manifest. */
export interface AppliedObject {
  /** Index among the manifests, from 0. */
  readonly index: number;
  /**
   * `created`; `changed` when the resourceVersion changed between the preceding read and the apply, possibly by
   * another writer; `unchanged`; `applied` when this user may not read the object, so that the change is unknown.
   */
  readonly outcome: "applied" | "changed" | "created" | "unchanged";
  /** The object as the server returned it. */
  readonly object: Live<KubeObject>;
}

/** A manifest that failed. */
export interface FailedObject extends ManifestTarget {
  /** Index among the manifests, from 0. */
  readonly index: number;
  readonly outcome: "failed";
  /** The failure; its message names the object. */
  readonly error: KubeError;
}

/** The outcome of deleting one object. */
export interface DeletedObject extends ManifestTarget {
  /** Index among the manifests, from 0. */
  readonly index: number;
  /** `absent` when the object did not exist; `terminating` while a finalizer or a grace period holds it. */
  readonly outcome: "absent" | "deleted" | "terminating";
  /** The object as the server returned it; absent where it returned a Status. */
  readonly object?: Live<KubeObject> | undefined;
}
