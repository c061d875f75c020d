import type { KubeObject, Live } from "@typekube/api";
import type { KubeError, ManifestOptions } from "@typekube/core";
import type { UnknownKind } from "../kind-types.js";
import type { ApplyOptions, DeleteOptions } from "../options.js";

/** YAML text with any number of documents, or the objects themselves. */
// With only KubeObject the compiler would refuse every other field of an object that is written down in the call.
export type Manifests = string | readonly (KubeObject | UnknownKind)[];

/** Which object a manifest is about. */
export interface ManifestTarget {
  readonly apiVersion: string;
  readonly kind: string;
  /** As it goes to the server; absent for a kind without namespaces, or where the manifest does not say and it was not found out. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** What became of one manifest. */
export interface AppliedObject {
  /** Its place among the manifests, from 0. */
  readonly index: number;
  /**
   * `created`; `configured` when its version changed between the read before and the apply, perhaps by somebody else's hand;
   * `unchanged`; `applied` when this user may not read it, so that nobody knows.
   */
  readonly outcome: "applied" | "configured" | "created" | "unchanged";
  readonly object: Live<KubeObject>;
}

/** A manifest that failed. */
export interface FailedObject extends ManifestTarget {
  /** Its place among the manifests, from 0. */
  readonly index: number;
  readonly outcome: "failed";
  readonly error: KubeError;
}

/** What became of one deletion. */
export interface DeletedObject extends ManifestTarget {
  /** Its place among the manifests, from 0. */
  readonly index: number;
  /** `absent` when there was no such object; `terminating` while something holds it: a finalizer, a grace period. */
  readonly outcome: "absent" | "deleted" | "terminating";
  /** The object as the server returned it; absent where it returned a Status. */
  readonly object?: Live<KubeObject> | undefined;
}

/** How manifests are read that are given as text; objects are taken as they are. */
export interface ManifestTextOptions {
  /**
   * A key that occurs twice in one mapping of the text is an error, or its last value counts, as for kubectl. Default `"error"`.
   */
  readonly duplicateKeys?: ManifestOptions["duplicateKeys"];
}

/** What many objects at once have in common. */
export interface SeriesOptions<R> extends ManifestTextOptions {
  /**
   * `throw` (default) fails with a `KubeError` once everything was tried; `manifestResults` finds what became of each in it.
   * `report` gives failures back among the results.
   */
  readonly onFailure?: "report" | "throw" | undefined;
  /** Called after each object, so that an abort takes nothing of what is known with it. What it throws ends the call. */
  readonly onResult?: ((result: FailedObject | R) => void) | undefined;
}

/** Options of an apply of many. */
export interface ApplyAllOptions extends ApplyOptions, SeriesOptions<AppliedObject> {
  /**
   * Milliseconds to wait for the kinds of CustomResourceDefinitions that were applied, before the rest is. Default 30,000; 0 does
   * not wait.
   */
  readonly kindsTimeoutMs?: number | undefined;
}

/** Options of a delete of many. */
export interface DeleteAllOptions
  extends Omit<DeleteOptions, "ignoreStoreReadErrorWithClusterBreakingPotential" | "preconditions">,
    SeriesOptions<DeletedObject> {
  /** Milliseconds to wait, once all deletes were asked for, until the objects are gone. Default 0: does not wait. */
  readonly goneTimeoutMs?: number | undefined;
}
