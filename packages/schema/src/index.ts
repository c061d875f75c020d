// Structural schemas

export {
  type CheckRulesOptions,
  checkRules,
  definitionCostLimit,
  expressionsOf,
  ruleCostLimit,
} from "./rules/check-rules.js";
export type { CompiledExpression, CompiledRule } from "./rules/compile-rules.js";
export { evaluate, type RuleEvaluation } from "./rules/evaluate.js";
export { type RuleFieldPath, ruleFieldPath } from "./rules/rule-field-path.js";
export { type RuleValidator, ruleValidator } from "./rules/rule-validator.js";
// Validation rules (CEL)
export { trimSpace } from "./rules/trim-space.js";
export {
  objectBudget,
  perCallLimit,
  type RuleFindings,
  type ValidateRulesOptions,
  validateRules,
} from "./rules/validate-rules.js";
export { type RuleReason, rulesOf, type ValidationRule } from "./rules/validation-rule.js";
export {
  propertySchema,
  readStructuralSchema,
  type StructuralSchema,
  schemasIn,
} from "./structural/structural-schema.js";
