import { assertKnownOptions, type OptionNames } from "./assert-known-options.js";
import type { ApplyAndPruneOptions } from "./manifests/apply-and-prune-options.js";
import type { DiffOptions } from "./manifests/diff-each.js";
import type { ApplyAllOptions, DeleteAllOptions } from "./manifests/manifest-result.js";
import type {
  ApplyOptions,
  ClientDefaults,
  CreateOptions,
  DeleteCollectionOptions,
  GetOptions,
  ItemsOptions,
  ListOptions,
  ModifyOrCreateOptions,
  TableListOptions,
  WatchOptions,
} from "./options.js";

const ofDeleteCollection: OptionNames<keyof DeleteCollectionOptions> = {
  continue: true,
  dryRun: true,
  encoding: true,
  fieldSelector: true,
  gracePeriodSeconds: true,
  ignoreStoreReadErrorWithClusterBreakingPotential: true,
  impersonate: true,
  labelSelector: true,
  limit: true,
  onWarning: true,
  preconditions: true,
  propagationPolicy: true,
  resourceVersion: true,
  resourceVersionMatch: true,
  shardSelector: true,
  signal: true,
  timeoutMs: true,
  timeoutSeconds: true,
};

type CallOptionName =
  | keyof ApplyAllOptions
  | keyof ApplyAndPruneOptions
  | keyof ApplyOptions
  | keyof CreateOptions
  | keyof DeleteAllOptions
  | keyof DeleteCollectionOptions
  | keyof DiffOptions
  | keyof GetOptions
  | keyof ItemsOptions
  | keyof ListOptions
  | keyof ModifyOrCreateOptions<object>
  | keyof TableListOptions
  | keyof WatchOptions;

const ofCalls: OptionNames<CallOptionName> = {
  ...ofDeleteCollection,
  allowEmpty: true,
  allowWatchBookmarks: true,
  applySet: true,
  consistency: true,
  createIfMissing: true,
  fallback: true,
  fieldManager: true,
  fieldValidation: true,
  force: true,
  goneTimeoutMs: true,
  includeObject: true,
  kindsTimeoutMs: true,
  managedFields: true,
  maxNameTries: true,
  maxTries: true,
  onExpired: true,
  onFailure: true,
  onProgress: true,
  onResult: true,
  pageSize: true,
  prefetch: true,
  sendInitialEvents: true,
  shareEqual: true,
};

const ofDefaults: OptionNames<keyof ClientDefaults> = {
  dryRun: true,
  encoding: true,
  fieldManager: true,
  fieldValidation: true,
  impersonate: true,
  limits: true,
  onWarning: true,
  timeoutMs: true,
};

/**
 * Refuses an option that no call has. Those of another call are let through: one object of options may serve several.
 *
 * @throws {KubeError} `InvalidArgument` that names it.
 */
export function assertCallOptionNames(options: object): void {
  assertKnownOptions("a call", options, ofCalls);
}

/**
 * Refuses an option that a deleteCollection does not have, those of other calls too: what they leave out it would delete.
 *
 * @throws {KubeError} `InvalidArgument` that names it.
 */
export function assertDeleteCollectionOptions(options: DeleteCollectionOptions): void {
  assertKnownOptions("a deleteCollection", options, ofDeleteCollection);
}

/**
 * Refuses a default that a client does not have.
 *
 * @throws {KubeError} `InvalidArgument` that names it.
 */
export function assertDefaults(defaults: ClientDefaults): void {
  assertKnownOptions("client.with()", defaults, ofDefaults);
}
