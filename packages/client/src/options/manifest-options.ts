import type { KubeObject } from "@typekube/api";
import type { ManifestOptions } from "@typekube/core";
import { callback, milliseconds, type OptionTable } from "@typekube/core/internal";
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

/** A finding of a {@link ManifestCheck}. */
export interface ManifestFinding {
  /** Identifier of the rule. */
  readonly rule: string;
  /** `error` for a problem because of which a server would reject the object. */
  readonly severity: string;
  readonly message: string;
  /** Place in the manifests, as far as it is known. */
  readonly location?: { readonly line?: number | undefined; readonly column?: number | undefined };
}

/** Checks manifests before anything is sent, such as `check` of `@typekube/apiserver/check`. */
export type ManifestCheck = (
  manifests: string | readonly (KubeObject | Readonly<Record<string, unknown>>)[],
) => Promise<{ readonly valid: boolean; readonly findings: readonly ManifestFinding[] }>;

/** Options of an apply of one object of any kind. */
export interface ApplyObjectOptions extends ApplyOptions {
  /**
   * Milliseconds to wait until the kinds of an applied CustomResourceDefinition are served. Default 30,000; 0 does not
   * wait. Other objects and dry runs never wait.
   */
  readonly kindsTimeoutMs?: number | undefined;
}

/** Checks of {@link ApplyObjectOptions} beyond those of `ApplyOptions`. */
export const applyObjectOptions: OptionTable<Pick<ApplyObjectOptions, "kindsTimeoutMs">> = {
  kindsTimeoutMs: milliseconds,
};

/** Options of an apply of many objects. */
export interface ApplyAllOptions extends ApplyOptions, SeriesOptions<AppliedObject> {
  /**
   * Checks the manifests first. If it finds an error, the call fails with `InvalidArgument` before its first request; the
   * message has all errors, and `cause` is the report. Default: nothing is checked.
   */
  readonly check?: ManifestCheck | undefined;
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
  ...applyObjectOptions,
  check: callback,
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
