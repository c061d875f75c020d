// For users

export type {
  ComputedField,
  FieldPathOf,
  Projected,
  ProjectedObject,
  SentWhole,
  Unprojected,
} from "@typekube/core/internal";
export { computedFields } from "@typekube/core/internal";
export { ClientCore, type ClientSettings } from "./client-core.js";
export { type ConnectOptions, clientSettings } from "./client-settings.js";
export {
  type CustomDescriptor,
  type CustomSubresources,
  defineResource,
  type ResourceNames,
} from "./define/define-resource.js";
export type {
  DiscoveredResource,
  FailedGroup,
  ServedApi,
  ServedGroup,
} from "./discovery/served-api.js";
export { compareApiVersions } from "./discovery/version-order.js";
export type { ItemWalk } from "./list/item-walk.js";
export type { ApplyAndPruneResult } from "./manifests/apply-and-prune.js";
export type { ManifestsDiff, ObjectDiff } from "./manifests/diff-each.js";
export type { Manifests } from "./manifests/manifest-set.js";
export type { KeptObject, PrunedObject } from "./manifests/prune.js";
export { manifestResults } from "./manifests/series.js";
export type { Downgrade } from "./negotiation/negotiation-memory.js";
export type {
  ApplyAndPruneOptions,
  ApplySetReference,
  DiffOptions,
} from "./options/apply-set-options.js";
export type { CallOptions } from "./options/call-options.js";
export type { ClientDefaults } from "./options/client-defaults.js";
export type {
  DeleteCollectionOptions,
  DeleteOptions,
  UnsafeDeleteOptions,
} from "./options/delete-options.js";
export type { Encoding, EncodingOptions } from "./options/encoding-options.js";
export type { FieldsOption, Whole } from "./options/fields-option.js";
export type { GetOptions } from "./options/get-options.js";
export type { HealthOptions } from "./options/health-options.js";
export type { ItemsOptions, ItemsProgress } from "./options/items-options.js";
export type { ListOptions } from "./options/list-options.js";
export type {
  ApplyAllOptions,
  ApplyObjectOptions,
  DeleteAllOptions,
  ManifestCheck,
  ManifestFinding,
} from "./options/manifest-options.js";
export type { Consistency } from "./options/read-state.js";
export type { SelectorOptions } from "./options/selector-options.js";
export type { TableListOptions, TableOptions } from "./options/table-options.js";
export type { WatchOptions } from "./options/watch-options.js";
export type {
  ApplyOptions,
  CreateOptions,
  ModifyOptions,
  ModifyOrCreateOptions,
  WriteOptions,
} from "./options/write-options.js";
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
export type { CopyProgress, CopyResult, SkippedFile, SkipReason } from "./pod-files/copy-result.js";
export type {
  CopyFromOptions,
  CopyToOptions,
  PodFileOptions,
  ReadFileOptions,
  WriteFileOptions,
} from "./pod-files/file-options.js";
export type { LogEvent, LogGap, LogLine, LogRestart } from "./pod-logs/log-event.js";
export type { LogForms, LogOptions } from "./pod-logs/log-options.js";
export type { LogLines } from "./pod-logs/log-stream.js";
export type {
  PortForward,
  PortForwardOptions,
  PortForwardState,
  PortListenOptions,
} from "./pod-ports/port-forward.js";
export type { PortListener } from "./pod-ports/port-listener.js";
export type { PortSocket } from "./pod-ports/port-socket.js";
export type { AttachOptions } from "./pod-sessions/attach.js";
export { type ExecOutput, outputOf } from "./pod-sessions/command-output.js";
export type {
  CommandOptions,
  ExecOptions,
  ExecSessionOptions,
} from "./pod-sessions/exec-options.js";
export type { OutputStream } from "./pod-sessions/output-stream.js";
export type { PodSession } from "./pod-sessions/session.js";
export type { SessionOptions, StdinSource, TerminalSize } from "./pod-sessions/session-options.js";
export type { SessionResult } from "./pod-sessions/session-result.js";
export type { TerminalOptions, TerminalStreams } from "./pod-sessions/terminal.js";
export type { PodCalls } from "./pods/pod-calls.js";
export type { HttpProxy, ProxiedKind } from "./proxy/http-proxy.js";
export type { ProxyConnectOptions, ProxyOptions } from "./proxy/proxy-options.js";
export type { ProxySocket, ProxySocketEnd } from "./proxy/proxy-socket.js";
export type { LocalProxy } from "./proxy/serve-proxy.js";
export type { ServeProxyOptions } from "./proxy/serve-proxy-options.js";
export { setDefaultWarningHandler, type WarningHandler } from "./request/warnings.js";
export type {
  Getting,
  Listing,
  TablesOfMany,
  TablesOfOne,
  Watching,
} from "./resource/reading-methods.js";
export type {
  MetadataClient,
  NamingPods,
  ResourceMethods,
  VerbMethods,
  ViewingMetadata,
  ViewMethods,
} from "./resource/resource-methods.js";
export type {
  Creating,
  Deleting,
  DeletingCollections,
  Modifying,
  Patching,
  PatchingMetadata,
  Updating,
} from "./resource/writing-methods.js";
export type {
  AppliedObject,
  DeletedObject,
  FailedObject,
  ManifestTarget,
} from "./response/manifest-result.js";
export { readWarning, type ServerWarning } from "./response/server-warning.js";
export {
  type IncludeObject,
  isTable,
  type RowObject,
  type Table,
  type TableRow,
} from "./response/table.js";
export type { Health, HealthCheck, HealthEndpoint } from "./server/health.js";
export type { OpenApi, OpenApiDocument } from "./server/openapi.js";
export type { RawRequest, RawResponse } from "./server/raw-request.js";
export type { ServerVersion } from "./server/server-release.js";
export type { UntilReadyOptions } from "./server/until-ready.js";
export type { Applied, AppliedAs } from "./types/applied.js";
export type { DeepPartial } from "./types/deep-partial.js";
export type { KindReference } from "./types/kind-reference.js";
export type { KindOf, ObjectAt, ObjectOf, UnknownKind } from "./types/kind-types.js";
export type { Right } from "./types/right.js";
export type { FieldSelectorOf, SelectableBy, Selecting } from "./types/selectable.js";
export type { Written, WrittenAs } from "./types/written.js";
export type { PathAccess, ResourceAccess } from "./virtual/access.js";
export type { AccessReviewResult } from "./virtual/access-review.js";
export type { AccessRules } from "./virtual/access-rules.js";
export type { CertificateDecision } from "./virtual/certificates.js";
export type { EvictOptions } from "./virtual/evict.js";
export type { Identity, ReviewTokenOptions, TokenReviewResult } from "./virtual/identity.js";
export type { BookmarkEvent, ObjectEvent, WatchEvent } from "./watch/watch-event.js";
export type { ApplyResult } from "./write/apply-result.js";
export type { DeleteResult } from "./write/delete-result.js";
export type { ObjectChange } from "./write/modify.js";
