/**
 * Field ownership of server-side apply: conflicts, field sets and paths. Paths of the option `fields` that are known at run
 * time only.
 *
 * @module typekube/fields
 */

// Conflicts and refused fields

export type { ApplyConflict, RefusedField } from "@typekube/core";
export { applyConflicts, isApplyConflict, refusedFields, valueAt } from "@typekube/core";

// Field sets and paths, as in metadata.managedFields

export type { FieldPath, FieldPathElement, FieldSet } from "@typekube/core";
export {
  fieldSetOf,
  hasFieldPath,
  intersectFieldSets,
  parseFieldPath,
  pathsOfFieldSet,
  printFieldPath,
  readFieldsV1,
  subtractFieldSets,
  unionFieldSets,
  writeFieldsV1,
} from "@typekube/core";

// Paths of the option `fields`

export { computedFields } from "@typekube/client";

// Field ownership

export { csaUpgrade, extract, resetManagedFields } from "@typekube/client";
export type { CsaUpgradeOptions, ExtractOptions } from "@typekube/core/internal";
