// Entry point "@typekube/crd/rules": validation rules in CEL. It loads the compiler of rules; definitions without rules
// do not need it.

export { atMostOne, immutable, oneOfRequired, requiredWhen } from "./common-rules.js";
export { rule } from "./make-rule.js";
export type { Rule, RuleOptions } from "./rule.js";
