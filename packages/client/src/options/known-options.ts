import { assertKnownOptions, assertLimits, type OptionNames } from "@typekube/core/internal";
import type { ConnectOptions } from "../client-settings.js";
import type { ApplyAndPruneOptions } from "../manifests/apply-and-prune-options.js";
import type { ApplySetReference } from "../manifests/apply-set.js";
import type { DiffOptions } from "../manifests/diff-each.js";
import type { ApplyAllOptions, DeleteAllOptions } from "../manifests/manifest-result.js";
import type { HealthOptions } from "../server/health.js";
import type { RawRequest } from "../server/raw-request.js";
import type { PathAccess, ResourceAccess } from "../virtual/access-review.js";
import { assertIsOptions } from "./assert-call-options.js";
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
  duplicateKeys: true,
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

const ofApplySet: OptionNames<keyof ApplySetReference> = { name: true, namespace: true };

const ofDefaults: OptionNames<keyof ClientDefaults> = {
  dryRun: true,
  encoding: true,
  fieldManager: true,
  fieldValidation: true,
  impersonate: true,
  limits: true,
  onWarning: true,
  redactErrors: true,
  timeoutMs: true,
};

const ofRaw: OptionNames<CallOptionName | keyof HealthOptions | keyof RawRequest> = {
  ...ofCalls,
  body: true,
  check: true,
  exclude: true,
  headers: true,
  method: true,
  mode: true,
  path: true,
  query: true,
  verbose: true,
};

const ofAccess: OptionNames<keyof PathAccess | keyof ResourceAccess> = {
  group: true,
  name: true,
  namespace: true,
  path: true,
  resource: true,
  subresource: true,
  verb: true,
  version: true,
};

const ofConnect: OptionNames<keyof ConnectOptions> = {
  anonymous: true,
  ca: true,
  cert: true,
  clock: true,
  context: true,
  defaults: true,
  env: true,
  execPlugins: true,
  execPluginTimeoutMs: true,
  fileReferences: true,
  homeDir: true,
  impersonate: true,
  inCluster: true,
  insecureSkipVerify: true,
  key: true,
  kubeconfig: true,
  namespace: true,
  onDowngrade: true,
  password: true,
  proxy: true,
  server: true,
  serverName: true,
  serviceAccountDir: true,
  signal: true,
  stdin: true,
  timeoutMs: true,
  token: true,
  tokenFile: true,
  transport: true,
  transportOptions: true,
  username: true,
};

/**
 * Rejects an option that no call has. Options of other calls are accepted, so that one options object may serve several
 * calls.
 *
 * @throws {KubeError} `InvalidArgument` naming the option.
 */
export function assertCallOptionNames(options: object): void {
  assertKnownOptions("a call", options, ofCalls);
  const { applySet } = options as { readonly applySet?: object | undefined };
  if (applySet !== undefined) {
    assertKnownOptions("an ApplySet", applySet, ofApplySet);
  }
}

/**
 * Rejects an option that a deleteCollection does not have, including options of other calls: ignoring a restriction
 * would delete more objects.
 *
 * @throws {KubeError} `InvalidArgument` naming the option.
 */
export function assertDeleteCollectionOptions(options: DeleteCollectionOptions): void {
  assertKnownOptions("a deleteCollection", options, ofDeleteCollection);
}

/**
 * Rejects an option that neither a raw request nor a call has.
 *
 * @throws {KubeError} `InvalidArgument` naming the option.
 */
export function assertRawRequest(request: RawRequest): void {
  assertKnownOptions("a raw request", request, ofRaw);
}

/**
 * Rejects an unknown field of an access: a misspelled namespace would mean all namespaces.
 *
 * @throws {KubeError} `InvalidArgument` naming the field.
 */
export function assertAccess(access: PathAccess | ResourceAccess): void {
  assertKnownOptions("an access check", access, ofAccess);
}

/**
 * Rejects unknown client defaults, and unknown or invalid limits.
 *
 * @param who - the function that takes the defaults, for the message.
 * @throws {KubeError} `InvalidArgument` naming the default or limit.
 */
export function assertDefaults(who: string, defaults: ClientDefaults): void {
  assertIsOptions(defaults);
  assertKnownOptions(who, defaults, ofDefaults);
  assertLimits(defaults.limits ?? {});
}

/**
 * Rejects an unknown connection option: with a misspelled `server` the client would connect elsewhere.
 *
 * @throws {KubeError} `InvalidArgument` naming the option.
 */
export function assertConnectOptions(options: ConnectOptions): void {
  assertIsOptions(options);
  assertKnownOptions("connect()", options, ofConnect);
  assertDefaults("the defaults of connect()", options.defaults ?? {});
}
