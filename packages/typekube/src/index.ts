// Connecting

// Objects and resources
export type { KubeList, KubeObject, Live, ResourceDescriptor } from "@typekube/api";
export type {
  AllNamespacesClient,
  AppliedObject,
  ApplyOptions,
  BookmarkEvent,
  ClientDefaults,
  ConnectOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DynamicResourceClient,
  Encoding,
  GetOptions,
  ItemsOptions,
  JsonPatchOperation,
  KindOf,
  ListOptions,
  Manifests,
  ObjectEvent,
  Patch,
  ResourceClient,
  ServerVersion,
  UnknownKind,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "@typekube/client";
export { isDeleted, json, merge, strategic } from "@typekube/client";
// Errors
export type { KubeErrorCode, Status, StatusCause } from "@typekube/core";
// Helpers
export {
  compareResourceVersions,
  formatLabelSelector,
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
  parseManifests,
} from "@typekube/core";
// Following
export type {
  Change,
  ChangeHandler,
  FollowEvent,
  FollowOptions,
  HandlerHandle,
  InformerHealth,
  InformerOptions,
} from "@typekube/informer";
export { Informer } from "@typekube/informer";
export { Client, connect } from "./client.js";
