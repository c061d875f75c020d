// Connecting

export type { ClientDefaults, ConnectOptions, Downgrade, Encoding } from "@typekube/client";
export { setDefaultWarningHandler } from "@typekube/client";
export { Client, connect } from "./client.js";

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
  AllNamespacesClient,
  AppliedObject,
  ApplyOptions,
  BetweenOptions,
  BookmarkEvent,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ItemsOptions,
  ItemsProgress,
  ItemWalk,
  JsonPatchOperation,
  KindOf,
  ListOptions,
  Manifests,
  MetadataClient,
  ModifyOptions,
  ModifyOrCreateOptions,
  ObjectChange,
  ObjectEvent,
  Patch,
  ServerVersion,
  Table,
  TableListOptions,
  TableOptions,
  TableRow,
  UnknownKind,
  UnsafeDeleteOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "@typekube/client";
export {
  csaUpgrade,
  deletionState,
  extract,
  isDeleted,
  isTable,
  jsonPatch,
  mergePatch,
  resetManagedFields,
  strategicPatch,
  wasCreated,
} from "@typekube/client";

export type { DynamicResourceClient, ResourceClient } from "./resource-client.js";

// Whole manifests

export type {
  ApplyAllOptions,
  ApplyAndPruneOptions,
  ApplyAndPruneResult,
  ApplySetReference,
  DeleteAllOptions,
  DeletedObject,
  DiffOptions,
  FailedObject,
  KeptObject,
  ManifestsDiff,
  ManifestTarget,
  ObjectDiff,
  PrunedObject,
} from "@typekube/client";
export { manifestResults } from "@typekube/client";

// The server itself

export type {
  AccessAnswer,
  AccessRules,
  CertificateDecision,
  Consistency,
  DiscoveredResource,
  EvictOptions,
  FailedGroup,
  Health,
  HealthCheck,
  HealthEndpoint,
  HealthOptions,
  Identity,
  OpenApi,
  OpenApiDocument,
  PathAccess,
  RawAnswer,
  RawRequest,
  ResourceAccess,
  ReviewTokenOptions,
  ServedApi,
  ServedGroup,
  ServerWarning,
  TokenAnswer,
  UntilReadyOptions,
} from "@typekube/client";
export { compareApiVersions, readWarning } from "@typekube/client";

// Waiting

export type { DescribedCondition, ObjectCondition, Waiting } from "@typekube/informer";
export { type Conditions, conditions } from "@typekube/informer";

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
  InformerIndexes,
  InformerOptions,
  MetadataInformerOptions,
  PictureProgress,
  ReadonlyStore,
  RestartReason,
  Shard,
  Transform,
  UntilCondition,
  UntilOptions,
  WaitForOptions,
  WatcherState,
  WatchFromOptions,
} from "@typekube/informer";
export { Informer, objectKey } from "@typekube/informer";

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

// Amounts and times

export type { DiagnosticsEvents, QuantityValue } from "@typekube/core";
export { microTime, quantity } from "@typekube/core";

// Owners of fields

export type {
  ApplyConflict,
  CsaUpgradeOptions,
  ExtractOptions,
  FieldPath,
  FieldPathElement,
  FieldSet,
  RefusedField,
} from "@typekube/core";
export {
  applyConflicts,
  fieldSetOf,
  hasFieldPath,
  intersectFieldSets,
  isApplyConflict,
  parseFieldPath,
  pathsOfFieldSet,
  printFieldPath,
  readFieldsV1,
  refusedFields,
  subtractFieldSets,
  unionFieldSets,
  valueAt,
  writeFieldsV1,
} from "@typekube/core";

// Helpers

export {
  compareResourceVersions,
  formatLabelSelector,
  parseManifests,
  readManifests,
  toYaml,
} from "@typekube/core";
