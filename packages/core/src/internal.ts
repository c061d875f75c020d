/// <reference types="node" preserve="true" />
// The seams between the layers, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export { type LinkedAbort, linkAbort } from "./abort/linked-abort.js";
export { allowManyListeners } from "./abort/many-listeners.js";
export {
  asBuffer,
  collectBytes,
  collectPrefix,
  concatBytes,
  type WholeBytes,
} from "./bytes/bytes.js";
export { type ReclaimedBytes, reclaimChunks, takeArrived } from "./bytes/reclaimed-bytes.js";
export type {
  Codec,
  DecodeOptions,
  EncodeOptions,
  ListPart,
  WatchEventType,
  WireWatchEvent,
} from "./codecs/codec.js";
export { nestsDeeperThan } from "./codecs/json/depth.js";
export { stringifyJson } from "./codecs/json/encode.js";
export type { MediaType } from "./codecs/media-type.js";
export { mediaTypes, parseMediaType } from "./codecs/media-type.js";
export { assertKnownFields } from "./codecs/protobuf/known-fields.js";
export { readYamlDocuments } from "./codecs/yaml/read-documents.js";
export { type DocumentPlace, YamlProblem } from "./codecs/yaml/yaml-problem.js";
export type { Codecs } from "./codecs.js";
export { codecs } from "./codecs.js";
export type {
  AroundWork,
  CredentialsRefreshed,
  DiagnosticsEvents,
  DiscoveryEntrySkipped,
  EncodingDowngraded,
  ReconcileCause,
  ReconcileEnded,
  ReconcileIdentity,
  ReconcileQueued,
  ReconcileStarted,
  ReconcileStep,
  ReconcileStepEnded,
  ReconcileStepStarted,
  RequestEnded,
  RequestFailed,
  RequestIdentity,
  RequestRetried,
  RequestStarted,
  ResponseReceived,
  StreamClosed,
  StreamIdentity,
  StreamMessageIgnored,
  StreamOpened,
  WatchStateChanged,
} from "./diagnostics.js";
export { diagnostics } from "./diagnostics.js";
export type { StatusErrorContext } from "./errors/status-error.js";
export { codeFromHttpStatus, errorFromStatus } from "./errors/status-error.js";
export type { CsaUpgradeOptions } from "./fields/csa-upgrade.js";
export {
  clientSideAppliers,
  csaUpgradeOperations,
  upgradedManagedFields,
} from "./fields/csa-upgrade.js";
export type { ExtractOptions } from "./fields/extract.js";
export { extractApplied } from "./fields/extract.js";
export { readFieldSet } from "./fields/field-set.js";
export type {
  HttpMethod,
  HttpRequest,
  HttpResponse,
  HttpSend,
  Interceptor,
  UpgradedConnection,
} from "./http.js";
export { intercept } from "./http.js";
export { loadOnce } from "./load-once.js";
export { manifestItems } from "./manifests/manifest-items.js";
export { type Attached, attached } from "./objects/attached.js";
export type { JsonObject } from "./objects/json-value.js";
export {
  cloneJson,
  getOwn,
  getPath,
  isJsonObject,
  jsonEqual,
  stringsOf,
} from "./objects/json-value.js";
export { setOwn } from "./objects/own-property.js";
export { assertKnownOptions } from "./options/assert-known-options.js";
export { assertLimits } from "./options/assert-limits.js";
export type { Limits } from "./options/limits.js";
export { defaultLimits } from "./options/limits.js";
export {
  amount,
  callback,
  flag,
  integerFrom,
  milliseconds,
  object,
  oneOf,
  text,
} from "./options/option-checks.js";
export {
  type AnyOptionTable,
  assertOptions,
  assertOptionValues,
  type NestedOptions,
  type OptionCheck,
  type OptionEntry,
  type OptionTable,
  optionProblems,
} from "./options/option-table.js";
export type { JsonPatchBetweenOptions, JsonPatchOperation } from "./patch/json-patch-between.js";
export { jsonPatchBetween } from "./patch/json-patch-between.js";
export { mergePatchBetween } from "./patch/merge-patch-between.js";
export { strategicPatchBetween } from "./patch/strategic-patch-between.js";
export { type ComputedField, computedFields } from "./projection/computed-fields.js";
export { hasProjectedObject, projectBody, projectValue } from "./projection/project-value.js";
export type {
  FieldPathOf,
  Projected,
  ProjectedObject,
  SentWhole,
  Unprojected,
} from "./projection/projected.js";
export {
  hasMarkedMetadata,
  isMarkedProjected,
  markLike,
  markProjected,
} from "./projection/projected-objects.js";
export {
  identityFields,
  Projection,
  projectionOf,
  selectFields,
  selectionOf,
} from "./projection/projection.js";
export { isSameKept } from "./projection/same-kept.js";
export { contains, type Selection } from "./projection/selection.js";
export type { CallScope, ScopedWrite } from "./scope/call-scope.js";
export { callScope, withCallScope, withoutCallScope } from "./scope/call-scope.js";
export type { Clock, Random } from "./time/clock.js";
export { longestTimerMs, monotonicNow, sleep, systemClock } from "./time/clock.js";
