// Structural schemas

export { evaluate, type RuleEvaluation } from "./evaluation/evaluate.js";
export { type CheckRulesOptions, checkRules, expressionsOf } from "./rule-checks/check-rules.js";
export { definitionCostLimit, ruleCostLimit } from "./rule-checks/cost-limits.js";
export {
  type CostBound,
  type CostExplanation,
  type CostFix,
  type ExplainCostOptions,
  explainCost,
  explainCosts,
} from "./rule-checks/explain-cost.js";
export { type LintRulesOptions, lintRules, type RuleLint } from "./rule-checks/lint-rules.js";
export type { BoundKeyword } from "./rule-checks/sized-node.js";
export type { CompiledExpression, CompiledRule } from "./rules/compile-rules.js";
export type { RuleCause } from "./rules/rule-cause.js";
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
