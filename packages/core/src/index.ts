/// <reference types="node" preserve="true" />
// The line above brings AbortSignal and Buffer into projects that name no global types (`types: []`).

// For all users

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
