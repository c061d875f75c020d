// Schemas

export { escapeFieldName } from "./rules/field-names.js";
export { hasRules } from "./rules/has-rules.js";
export { type RuleReason, rulesOf, type ValidationRule } from "./rules/validation-rule.js";
export type { CompilePattern, SchemaPattern } from "./structural/compile-pattern.js";
export {
  propertySchema,
  readStructuralSchema,
  type StructuralSchema,
  schemasIn,
} from "./structural/structural-schema.js";

// Definitions

export {
  type ApprovalCondition,
  approvalCondition,
} from "./definitions/api-approval.js";
export type { DefinitionChecks, RuleChecks } from "./definitions/definition-checks.js";
export { withDefinitionDefaults, withStoredVersions } from "./definitions/definition-defaults.js";
export { listOf, versionsOf } from "./definitions/definition-parts.js";
export { definitionWarnings } from "./definitions/definition-warnings.js";
export { validateDefinition } from "./definitions/validate-definition.js";
export {
  type DefinitionSchemaOptions,
  validateDefinitionSchema,
} from "./definitions/validate-definition-schema.js";
export { hasPatterns } from "./definitions/validate-patterns.js";
export { isKnownFormat } from "./values/value-formats.js";

// Objects

export {
  type CustomChecks,
  type CustomSchema,
  type CustomWrite,
  type ScalePaths,
  validateCustomObject,
} from "./objects/validate-custom-object.js";
export { mapEmbeddedMetadata } from "./values/embedded-resources.js";
export { dropNulls, fillDefaults } from "./values/fill-defaults.js";
export { type Pruned, pruneObject } from "./values/prune.js";
