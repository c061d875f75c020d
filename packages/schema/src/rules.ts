// Entry point "@typekube/schema/rules": validation rules (CEL). It loads the expression language; the schemas alone do not.

// Rules of an object

export { type ObjectRules, validateObjectRules } from "./objects/validate-object-rules.js";
export { evaluate, type RuleEvaluation } from "./rules/evaluate.js";
export { type RuleValidator, ruleValidator } from "./rules/rule-validator.js";
export {
  objectBudget,
  perCallLimit,
  type RuleFindings,
  type ValidateRulesOptions,
  validateRules,
} from "./rules/validate-rules.js";

// Rules of a definition

export {
  type CheckRulesOptions,
  checkRules,
  definitionCostLimit,
  expressionsOf,
  ruleCostLimit,
} from "./rules/check-rules.js";
export type { CompiledExpression, CompiledRule } from "./rules/compile-rules.js";
