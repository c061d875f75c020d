// Entry point "@typekube/schema/rules": validation rules (CEL). It loads the expression language; the schemas alone do not.

// Rules of an object

export { evaluate, type RuleEvaluation } from "./evaluation/evaluate.js";
export { type ObjectRules, validateObjectRules } from "./objects/validate-object-rules.js";
export type { RuleCause } from "./rules/rule-cause.js";
export { type RuleValidator, ruleValidator } from "./rules/rule-validator.js";
export {
  objectBudget,
  perCallLimit,
  type RuleFindings,
  type ValidateRulesOptions,
  validateRules,
} from "./rules/validate-rules.js";

// Rules of a definition

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
export { type DeclaredType, declaredType } from "./rules/declared-type.js";
