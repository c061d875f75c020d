// For users

export { ClientCore, type ClientSettings } from "./client-core.js";
export { type ConnectOptions, clientSettings } from "./client-settings.js";
export type {
  DiscoveredResource,
  FailedGroup,
  ServedApi,
  ServedGroup,
} from "./discovery/served-api.js";
export { compareApiVersions } from "./discovery/version-order.js";
export type { ItemWalk } from "./list/item-walk.js";
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
export type { Downgrade } from "./negotiation/negotiation-memory.js";
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
} from "./options/options.js";
export { csaUpgrade, extract, resetManagedFields } from "./patch/field-ownership.js";
export type {
  BetweenOptions,
  JsonPatches,
  JsonPatchOperation,
  MergePatches,
  MergePatchOf,
  Patch,
  StrategicPatches,
} from "./patch/patch.js";
export { jsonPatch, mergePatch, strategicPatch } from "./patch/patch.js";
export { setDefaultWarningHandler, type WarningHandler } from "./request/warnings.js";
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
} from "./resource/resource-methods.js";
export { readWarning, type ServerWarning } from "./response/server-warning.js";
export {
  type IncludeObject,
  isTable,
  type RowObject,
  type Table,
  type TableRow,
} from "./response/table.js";
export type { Health, HealthCheck, HealthEndpoint, HealthOptions } from "./server/health.js";
export type { OpenApi, OpenApiDocument } from "./server/openapi.js";
export type { RawRequest, RawResponse } from "./server/raw-request.js";
export type { ServerVersion } from "./server/server-release.js";
export type { UntilReadyOptions } from "./server/until-ready.js";
export type { DeepPartial } from "./types/deep-partial.js";
export type { KindReference } from "./types/kind-reference.js";
export type { KindOf, ObjectOf, UnknownKind } from "./types/kind-types.js";
export type {
  AccessReviewResult,
  AccessRules,
  PathAccess,
  ResourceAccess,
} from "./virtual/access-review.js";
export type { CertificateDecision } from "./virtual/certificates.js";
export type { EvictOptions } from "./virtual/evict.js";
export type { Identity, ReviewTokenOptions, TokenReviewResult } from "./virtual/identity.js";
export type { BookmarkEvent, ObjectEvent, WatchEvent } from "./watch/watch-event.js";
export type { ApplyResult } from "./write/apply-result.js";
export type { DeleteResult } from "./write/delete-result.js";
export type { ObjectChange } from "./write/modify.js";
