import { type CheckRuleId, checkRules } from "../model/check-rules.js";
import type { CheckedObject, Severity } from "../model/finding.js";
import type { CompleteOptions } from "./check-options.js";
import { pathPattern } from "./path-pattern.js";

/** Returns the severity of a rule for an object. */
export function severityOf(
  rule: CheckRuleId,
  source: string,
  checked: CheckedObject | undefined,
  { rules = {}, overrides }: Pick<CompleteOptions, "overrides" | "rules">,
): Severity | "off" {
  let severity: Severity | "off" = rules[rule] ?? checkRules[rule].severity;
  for (const { paths, kinds, namespaces, rules: overridden } of overrides) {
    const isMatch =
      (paths === undefined || paths.some((one) => pathPattern(one).test(source))) &&
      (kinds === undefined || kinds.includes(checked?.kind ?? "")) &&
      (namespaces === undefined || namespaces.includes(checked?.namespace ?? ""));
    severity = (isMatch ? overridden[rule] : undefined) ?? severity;
  }
  return severity;
}
