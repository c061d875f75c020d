import type { KubeObject, Live } from "@typekube/api";
import type { KubeError, ManifestOptions } from "@typekube/core";
import type { ApplyOptions, DeleteOptions } from "../options/options.js";
import type { UnknownKind } from "../types/kind-types.js";

/** YAML text with any number of documents, or an array of objects. */
// With KubeObject alone, the compiler would reject all other fields of an object literal in the call.
export type Manifests = string | readonly (KubeObject | UnknownKind)[];

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

/** Options for reading manifests from text. Objects are used unchanged. */
export interface ManifestTextOptions {
  /**
   * A key that occurs twice in one mapping of the text is an error (`"error"`), or its last value counts (`"last"`), as
   * in kubectl. Default `"error"`.
   */
  readonly duplicateKeys?: ManifestOptions["duplicateKeys"];
}

/** Options common to calls on many objects. */
export interface SeriesOptions<R> extends ManifestTextOptions {
  /**
   * `throw` (default) fails with a `KubeError` once every manifest was attempted; `manifestResults` returns the
   * outcomes from it. `report` returns failures among the results.
   */
  readonly onFailure?: "report" | "throw" | undefined;
  /**
   * Called after each object, so that results are known even when the call is aborted. An error thrown here ends the
   * call.
   */
  readonly onResult?: ((result: FailedObject | R) => void) | undefined;
}

/** Options of an apply of many objects. */
export interface ApplyAllOptions extends ApplyOptions, SeriesOptions<AppliedObject> {
  /**
   * Milliseconds to wait for the kinds of each applied CustomResourceDefinition, before the rest is applied. Default
   * 30,000; 0 does not wait.
   */
  readonly kindsTimeoutMs?: number | undefined;
}

/** Options of a delete of many objects. */
export interface DeleteAllOptions
  extends Omit<DeleteOptions, "ignoreStoreReadErrorWithClusterBreakingPotential" | "preconditions">,
    SeriesOptions<DeletedObject> {
  /** Milliseconds to wait, after all deletes were requested, until the objects are gone. Default 0: does not wait. */
  readonly goneTimeoutMs?: number | undefined;
}
