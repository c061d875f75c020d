/// <reference types="node" preserve="true" />
// The line above brings AbortSignal and Buffer into projects that name no global types (`types: []`).

// For all users

export type { ToYamlOptions } from "./codecs/yaml/to-yaml.js";
export { toYaml } from "./codecs/yaml/to-yaml.js";
export { harmless } from "./errors/harmless-text.js";
export type { KubeErrorCode, KubeErrorOptions, KubeErrorRequest } from "./errors/kube-error.js";
export { KubeError, kubeErrorCodes } from "./errors/kube-error.js";
export type { KubeErrorWith } from "./errors/kube-error-predicates.js";
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
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  resourceVersionTooLargeCause,
} from "./errors/kube-error-predicates.js";
export type { RedactedResource } from "./errors/redact-status.js";
export type { Status, StatusCause, StatusDetails } from "./errors/status.js";
export { isStatus } from "./errors/status.js";
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
export type { Manifest, ManifestObject, ManifestOptions, ManifestSource } from "./manifests.js";
export { assertDuplicateKeys, parseManifests, readManifests } from "./manifests.js";
export { type QuantityFunctions, type QuantityValue, quantity } from "./quantity/quantity.js";
export {
  compareResourceVersions,
  isComparableResourceVersion,
  resourceVersionOrder,
} from "./resource-version.js";
export type { FieldRequirement, FieldSelectorInput } from "./selectors/field-selector.js";
export { formatFieldSelector, parseFieldSelector } from "./selectors/field-selector.js";
export type {
  LabelRequirement,
  LabelSelectorInput,
  LabelSelectorObject,
} from "./selectors/label-selector.js";
export {
  formatLabelSelector,
  matchesLabels,
  parseLabelSelector,
} from "./selectors/label-selector.js";
export { microTime } from "./time/micro-time.js";
