import type { ManifestOptions } from "@typekube/core";
import { milliseconds, type OptionTable } from "@typekube/core/internal";
import type { AppliedObject, DeletedObject, FailedObject } from "../response/manifest-result.js";
import { type DeleteOptions, deleteOptions } from "./delete-options.js";
import { type ApplyOptions, applyOptions } from "./write-options.js";

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

const seriesOptions: OptionTable<SeriesOptions<unknown>> = {
  duplicateKeys: true,
  onFailure: true,
  onResult: true,
};

/** Options of an apply of many objects. */
export interface ApplyAllOptions extends ApplyOptions, SeriesOptions<AppliedObject> {
  /**
   * Milliseconds to wait for the kinds of each applied CustomResourceDefinition, before the rest is applied. Default
   * 30,000; 0 does not wait.
   */
  readonly kindsTimeoutMs?: number | undefined;
}

/** Names and checks of {@link ApplyAllOptions}. */
export const applyAllOptions: OptionTable<ApplyAllOptions> = {
  ...applyOptions,
  ...seriesOptions,
  kindsTimeoutMs: milliseconds,
};

/** Options of a delete of many objects. */
export interface DeleteAllOptions
  extends Omit<DeleteOptions, "ignoreStoreReadErrorWithClusterBreakingPotential" | "preconditions">,
    SeriesOptions<DeletedObject> {
  /** Milliseconds to wait, after all deletes were requested, until the objects are gone. Default 0: does not wait. */
  readonly goneTimeoutMs?: number | undefined;
}

const {
  ignoreStoreReadErrorWithClusterBreakingPotential: _unsafe,
  preconditions: _one,
  ...deleted
} = deleteOptions;

/** Names and checks of {@link DeleteAllOptions}. */
export const deleteAllOptions: OptionTable<DeleteAllOptions> = {
  ...deleted,
  ...seriesOptions,
  goneTimeoutMs: milliseconds,
};
