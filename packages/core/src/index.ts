/// <reference types="node" preserve="true" />
// The line above brings AbortSignal and Buffer into projects that name no global types (`types: []`).

// For everybody

export type { ToYamlOptions } from "./codecs/yaml/to-yaml.js";
export { toYaml } from "./codecs/yaml/to-yaml.js";
export type { FieldRequirement, FieldSelectorInput } from "./field-selector.js";
export { formatFieldSelector, parseFieldSelector } from "./field-selector.js";
export type { ApplyConflict } from "./fields/apply-conflicts.js";
export { applyConflicts, isApplyConflict } from "./fields/apply-conflicts.js";
export type { FieldPath, FieldPathElement } from "./fields/field-path.js";
export { valueAt } from "./fields/field-path.js";
export type { PrintFieldPathOptions } from "./fields/field-path-text.js";
export { parseFieldPath, printFieldPath } from "./fields/field-path-text.js";
export type { FieldSet } from "./fields/field-set.js";
export {
  emptyFieldSet,
  fieldSetOf,
  hasFieldPath,
  intersectFieldSets,
  isEmptyFieldSet,
  pathsOfFieldSet,
  readFieldsV1,
  subtractFieldSets,
  unionFieldSets,
  writeFieldsV1,
} from "./fields/field-set.js";
export type { RefusedField } from "./fields/refused-fields.js";
export { refusedFields } from "./fields/refused-fields.js";
export type { GroupVersion } from "./group-version.js";
export { formatApiVersion, parseApiVersion } from "./group-version.js";
export { harmless } from "./harmless-text.js";
export type { KubeErrorCode, KubeErrorOptions, KubeErrorRequest } from "./kube-error.js";
export { KubeError, kubeErrorCodes } from "./kube-error.js";
export type { KubeErrorWith } from "./kube-error-predicates.js";
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
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  resourceVersionTooLargeCause,
} from "./kube-error-predicates.js";
export type {
  LabelRequirement,
  LabelSelectorInput,
  LabelSelectorObject,
} from "./label-selector.js";
export { formatLabelSelector, matchesLabels, parseLabelSelector } from "./label-selector.js";
export type { Manifest, ManifestObject, ManifestOptions, ManifestSource } from "./manifests.js";
export { assertDuplicateKeys, parseManifests, readManifests } from "./manifests.js";
export { microTime } from "./micro-time.js";
export { type QuantityFunctions, type QuantityValue, quantity } from "./quantity/quantity.js";
export type { RedactedResource } from "./redact-status.js";
export {
  compareResourceVersions,
  isComparableResourceVersion,
  resourceVersionOrder,
} from "./resource-version.js";
export type { Status, StatusCause, StatusDetails } from "./status.js";
export { isStatus } from "./status.js";

// For libraries: the seams between the layers

export { assertKnownOptions, type OptionNames } from "./assert-known-options.js";
export { assertLimits } from "./assert-limits.js";
export { asBuffer, collectBytes, collectPrefix, concatBytes, type WholeBytes } from "./bytes.js";
export type { Clock, Random } from "./clock.js";
export { longestTimerMs, monotonicNow, sleep, systemClock } from "./clock.js";
export type {
  Codec,
  DecodeOptions,
  EncodeOptions,
  ListPart,
  WatchEventType,
  WireWatchEvent,
} from "./codecs/codec.js";
export type { Codecs } from "./codecs/codecs.js";
export { codecs } from "./codecs/codecs.js";
export { nestsDeeperThan } from "./codecs/json/depth.js";
export { stringifyJson } from "./codecs/json/encode.js";
export { readYamlDocuments } from "./codecs/yaml/read-documents.js";
export { type DocumentPlace, YamlProblem } from "./codecs/yaml/yaml-problem.js";
export type {
  CredentialsRefreshed,
  DiagnosticsEvents,
  DiscoveryEntrySkipped,
  EncodingDowngraded,
  RequestAnswered,
  RequestEnded,
  RequestFailed,
  RequestIdentity,
  RequestRetried,
  RequestStarted,
  WatchStateChanged,
} from "./diagnostics.js";
export { diagnostics } from "./diagnostics.js";
export type { CsaUpgradeOptions } from "./fields/csa-upgrade.js";
export {
  clientSideAppliers,
  csaUpgradeOperations,
  upgradedManagedFields,
} from "./fields/csa-upgrade.js";
export type { ExtractOptions } from "./fields/extract.js";
export { extractApplied } from "./fields/extract.js";
export type { HttpMethod, HttpRequest, HttpResponse, HttpSend, Interceptor } from "./http.js";
export { intercept } from "./http.js";
export type { Limits } from "./limits.js";
export { defaultLimits } from "./limits.js";
export { type LinkedAbort, linkAbort } from "./linked-abort.js";
export { manifestItems } from "./manifest-items.js";
export { allowManyListeners } from "./many-listeners.js";
export type { MediaType } from "./media-type.js";
export { mediaTypes, parseMediaType } from "./media-type.js";
export type { JsonPatchBetweenOptions, JsonPatchOperation } from "./patch/json-patch-between.js";
export { jsonPatchBetween } from "./patch/json-patch-between.js";
export type { JsonObject } from "./patch/json-value.js";
export { cloneJson, isJsonObject, jsonEqual } from "./patch/json-value.js";
export { mergePatchBetween } from "./patch/merge-patch-between.js";
export { strategicPatchBetween } from "./patch/strategic-patch-between.js";
export { type ReclaimedBytes, reclaimChunks } from "./reclaimed-bytes.js";
export type { StatusErrorContext } from "./status-error.js";
export { codeFromHttpStatus, errorFromStatus } from "./status-error.js";
