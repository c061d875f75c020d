import { integerFrom, type NestedOptions, type OptionTable } from "@typekube/core/internal";
import { type EncodingOptions, encodingOptions } from "./encoding-options.js";
import { type SelectorOptions, selectorOptions } from "./selector-options.js";
import { dryRun } from "./write-options.js";

/** Options of a delete. */
export interface DeleteOptions extends EncodingOptions {
  /** `All` makes the server process the whole delete without removing anything. */
  readonly dryRun?: "All" | undefined;
  /** Seconds for the object to terminate; 0 deletes it at once. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Garbage collection of the object's dependents. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** Deletes the object only if these values match; otherwise fails with `Conflict`. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  /** Cannot be combined with other delete options: see {@link UnsafeDeleteOptions}. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: undefined;
}

/** Names of preconditions: a misspelled one would have no effect. */
export const preconditions: NestedOptions = {
  call: "preconditions",
  table: { resourceVersion: true, uid: true } satisfies OptionTable<
    NonNullable<DeleteOptions["preconditions"]>
  >,
};

/** Names and checks of {@link DeleteOptions} and {@link UnsafeDeleteOptions}. */
export const deleteOptions: OptionTable<DeleteOptions | UnsafeDeleteOptions> = {
  ...encodingOptions,
  dryRun,
  gracePeriodSeconds: integerFrom(0),
  ignoreStoreReadErrorWithClusterBreakingPotential: true,
  preconditions,
  propagationPolicy: true,
};

/**
 * Options of an unsafe delete, for an object that the server can no longer read from its storage. It cannot be combined
 * with other delete options, nor used by a client whose default is a dry run.
 */
export interface UnsafeDeleteOptions extends EncodingOptions {
  /**
   * DANGEROUS. Removes the object from storage and bypasses its finalizers, preconditions and admission. Whatever the
   * object stands for keeps running, and the cluster may break. Servers do this only for an object that they cannot
   * decrypt or decode, after an ordinary delete failed for that reason, and only for users with the verb
   * `unsafe-delete-ignore-read-errors`. For a readable object they respond with `Conflict`.
   */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential: true;
  readonly dryRun?: undefined;
  readonly gracePeriodSeconds?: undefined;
  readonly preconditions?: undefined;
  readonly propagationPolicy?: undefined;
}

/** Options of a deleteCollection: selectors and delete options. */
export interface DeleteCollectionOptions extends DeleteOptions, SelectorOptions {
  /** Maximum number of objects to delete. Default: no limit. */
  readonly limit?: number | undefined;
  /** Continue token of a list, from which the deletion continues. Default: from the first object. */
  readonly continue?: string | undefined;
  /** resourceVersion of the state that selects the objects to delete; see {@link ListVersion}. */
  readonly resourceVersion?: string | undefined;
  /** Meaning of `resourceVersion`: exactly this state, or one that is not older. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** Seconds after which the server abandons the request. */
  readonly timeoutSeconds?: number | undefined;
}

/** Names and checks of {@link DeleteCollectionOptions}. */
export const deleteCollectionOptions: OptionTable<DeleteCollectionOptions> = {
  ...deleteOptions,
  ...selectorOptions,
  continue: true,
  limit: integerFrom(0),
  resourceVersion: true,
  resourceVersionMatch: true,
  timeoutSeconds: integerFrom(0),
};
