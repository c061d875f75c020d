// For users

export type { ApplyResult } from "./apply-result.js";
export { ClientCore, type ClientSettings } from "./client-core.js";
export { type ConnectOptions, clientSettings } from "./client-settings.js";
export type { DeepPartial } from "./deep-partial.js";
export type { DeleteResult } from "./delete-result.js";
export type { KindReference } from "./discovery/kind-reference.js";
export type {
  DiscoveredResource,
  FailedGroup,
  ServedApi,
  ServedGroup,
} from "./discovery/served-api.js";
export { compareApiVersions } from "./discovery/version-order.js";
export { csaUpgrade, extract, resetManagedFields } from "./field-ownership.js";
export type { Health, HealthCheck, HealthEndpoint, HealthOptions } from "./health.js";
export type { ItemWalk } from "./item-walk.js";
export type { KindOf, ObjectOf, UnknownKind } from "./kind-types.js";
export type { ApplyAndPruneResult } from "./manifests/apply-and-prune.js";
export type { ApplyAndPruneOptions } from "./manifests/apply-and-prune-options.js";
export type { ApplySetReference } from "./manifests/apply-set.js";
export type { DiffOptions, ManifestsDiff, ObjectDiff } from "./manifests/diff-each.js";
export type {
  AppliedObject,
  ApplyAllOptions,
  DeleteAllOptions,
  DeletedObject,
  FailedObject,
  Manifests,
  ManifestTarget,
} from "./manifests/manifest-result.js";
export type { KeptObject, PrunedObject } from "./manifests/prune.js";
export { manifestResults } from "./manifests/series.js";
export type { ObjectChange } from "./modify.js";
export type { Downgrade } from "./negotiation.js";
export type { OpenApi, OpenApiDocument } from "./openapi.js";
export type {
  ApplyOptions,
  CallOptions,
  ClientDefaults,
  Consistency,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  Encoding,
  EncodingOptions,
  GetOptions,
  ItemsOptions,
  ItemsProgress,
  ListOptions,
  ModifyOptions,
  ModifyOrCreateOptions,
  SelectorOptions,
  TableListOptions,
  TableOptions,
  UnsafeDeleteOptions,
  WatchOptions,
  WriteOptions,
} from "./options.js";
export type {
  BetweenOptions,
  JsonPatches,
  JsonPatchOperation,
  MergePatches,
  MergePatchOf,
  Patch,
  StrategicPatches,
} from "./patch.js";
export { jsonPatch, mergePatch, strategicPatch } from "./patch.js";
export type { RawRequest, RawResponse } from "./raw-request.js";
export type {
  Creating,
  Deleting,
  DeletingCollections,
  Getting,
  Listing,
  MetadataClient,
  Modifying,
  Patching,
  PatchingMetadata,
  ResourceMethods,
  TablesOfMany,
  TablesOfOne,
  Updating,
  VerbMethods,
  ViewingMetadata,
  ViewMethods,
  Watching,
} from "./resource-methods.js";
export type { ServerVersion } from "./server-release.js";
export { readWarning, type ServerWarning } from "./server-warning.js";
export { type IncludeObject, isTable, type RowObject, type Table, type TableRow } from "./table.js";
export type { UntilReadyOptions } from "./until-ready.js";
export type {
  AccessReviewResult,
  AccessRules,
  PathAccess,
  ResourceAccess,
} from "./virtual/access-review.js";
export type { CertificateDecision } from "./virtual/certificates.js";
export type { EvictOptions } from "./virtual/evict.js";
export type { Identity, ReviewTokenOptions, TokenReviewResult } from "./virtual/identity.js";
export { setDefaultWarningHandler, type WarningHandler } from "./warnings.js";
export type { BookmarkEvent, ObjectEvent, WatchEvent } from "./watch-event.js";
