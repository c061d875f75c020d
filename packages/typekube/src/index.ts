// Connecting

export type { ClientDefaults, ConnectOptions, Downgrade, Encoding } from "@typekube/client";
export { setDefaultWarningHandler } from "@typekube/client";
export { Client, connect } from "./client.js";

// Objects and resources

export type { KubeList, KubeObject, Live, ResourceDescriptor } from "@typekube/api";
export type {
  AllNamespacesClient,
  AppliedObject,
  ApplyOptions,
  BookmarkEvent,
  DeleteCollectionOptions,
  DeleteOptions,
  DynamicResourceClient,
  GetOptions,
  ItemsOptions,
  JsonPatchOperation,
  KindOf,
  ListOptions,
  Manifests,
  MetadataClient,
  ObjectEvent,
  Patch,
  ResourceClient,
  ServerVersion,
  Table,
  TableListOptions,
  TableOptions,
  TableRow,
  UnknownKind,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "@typekube/client";
export { isDeleted, isTable, json, merge, strategic } from "@typekube/client";

// Following

export type {
  Change,
  ChangeHandler,
  FollowEvent,
  FollowOptions,
  HandlerHandle,
  HandlerOptions,
  InformerHealth,
  InformerIndex,
  InformerOptions,
  ObjectCondition,
  PictureProgress,
  ReadonlyStore,
  RestartReason,
  Transform,
  UntilCondition,
  UntilOptions,
  WaitForOptions,
  WatcherState,
  WatchFromOptions,
} from "@typekube/informer";
export { Informer } from "@typekube/informer";

// Errors

export type { KubeErrorCode, Status, StatusCause } from "@typekube/core";
export {
  isAlreadyExists,
  isConflict,
  isConnectionRefused,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNetworkError,
  isNotAcceptable,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  KubeError,
} from "@typekube/core";

// Helpers

export {
  compareResourceVersions,
  formatLabelSelector,
  parseManifests,
  readManifests,
  toYaml,
} from "@typekube/core";
