/**
 * The client, informers, errors and values that programs name.
 *
 * @module typekube
 */

// Connecting

export type { ClientDefaults, ConnectOptions, Encoding } from "@typekube/client";
export { setDefaultWarningHandler } from "@typekube/client";
export type { Client } from "./client.js";
export { connect } from "./connect.js";

// Objects and resources

export type {
  KubeList,
  KubeObject,
  Live,
  ResourceDescriptor,
  SubresourceDescriptor,
  Verb,
} from "@typekube/api";
export type {
  ApplyOptions,
  ApplyResult,
  CreateOptions,
  DeleteOptions,
  DeleteResult,
  GetOptions,
  ItemsOptions,
  ItemWalk,
  KindOf,
  ListOptions,
  ModifyOptions,
  ObjectEvent,
  Patch,
  Table,
  UnknownKind,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "@typekube/client";
export {
  compareApiVersions,
  defineResource,
  isTable,
  jsonPatch,
  mergePatch,
  strategicPatch,
} from "@typekube/client";
export type {
  AllNamespacesClient,
  DynamicResourceClient,
  ResourceClient,
} from "./resource-client.js";

// Calls into pods

export type { ExecOutput, PodCalls, PodSession, PortForward } from "@typekube/client";
export { outputOf } from "@typekube/client";

// Manifests

export type {
  AppliedObject,
  ApplyAllOptions,
  ApplyAndPruneOptions,
  ApplyAndPruneResult,
  DeleteAllOptions,
  DeletedObject,
  DiffOptions,
  FailedObject,
  Manifests,
  ManifestsDiff,
} from "@typekube/client";
export { manifestResults } from "@typekube/client";
export { parseManifests, readManifests, toYaml } from "@typekube/core";

// Informers, watches and waiting

export type {
  Change,
  ChangeHandler,
  FollowEvent,
  FollowOptions,
  HandlerHandle,
  HandlerOptions,
  Informer,
  InformerHealth,
  InformerOptions,
  ObjectCondition,
  Shard,
  Transform,
  UntilOptions,
  WaitForOptions,
  WatchFromOptions,
} from "@typekube/informer";
export { conditions, objectKey } from "@typekube/informer";

// Errors

export type { KubeErrorCode, Status, StatusCause } from "@typekube/core";
export {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isConnectionRefused,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNetworkError,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStorageReadError,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  KubeError,
} from "@typekube/core";

// Values

export type { QuantityValue } from "@typekube/core";
export {
  compareResourceVersions,
  formatLabelSelector,
  microTime,
  quantity,
} from "@typekube/core";
