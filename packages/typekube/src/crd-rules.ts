/**
 * Validation rules in CEL for custom resources. This entry point loads the compiler of rules.
 *
 * @module typekube/crd/rules
 */

export {
  atMostOne,
  immutable,
  oneOfRequired,
  type Rule,
  type RuleOptions,
  requiredWhen,
  rule,
} from "@typekube/crd/rules";
