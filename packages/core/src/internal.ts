/// <reference types="node" preserve="true" />
// The seams between the layers, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

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
  RequestEnded,
  RequestFailed,
  RequestIdentity,
  RequestRetried,
  RequestStarted,
  ResponseReceived,
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
export { readFieldSet } from "./fields/field-set.js";
export type { HttpMethod, HttpRequest, HttpResponse, HttpSend, Interceptor } from "./http.js";
export { intercept } from "./http.js";
export type { Limits } from "./limits.js";
export { defaultLimits } from "./limits.js";
export { type LinkedAbort, linkAbort } from "./linked-abort.js";
export { manifestItems } from "./manifest-items.js";
export { allowManyListeners } from "./many-listeners.js";
export type { MediaType } from "./media-type.js";
export { mediaTypes, parseMediaType } from "./media-type.js";
export {
  amount,
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
} from "./options/option-table.js";
export type { JsonPatchBetweenOptions, JsonPatchOperation } from "./patch/json-patch-between.js";
export { jsonPatchBetween } from "./patch/json-patch-between.js";
export type { JsonObject } from "./patch/json-value.js";
export { cloneJson, isJsonObject, jsonEqual } from "./patch/json-value.js";
export { mergePatchBetween } from "./patch/merge-patch-between.js";
export { strategicPatchBetween } from "./patch/strategic-patch-between.js";
export { type ReclaimedBytes, reclaimChunks } from "./reclaimed-bytes.js";
export type { StatusErrorContext } from "./status-error.js";
export { codeFromHttpStatus, errorFromStatus } from "./status-error.js";
