import { KubeError } from "@typekube/core";
import { assertKnownOptions, optionProblems } from "@typekube/core/internal";
import { type FaultRule, faultRuleOptions, strikes } from "./fault-rule.js";

/** Fields that inject a fault. The others, such as reason and message, only configure it. */
const effects = [
  "status",
  "delayMs",
  "hang",
  "reset",
  "cutAfterBytes",
  "drip",
  "garbage",
  "staleBy",
  "eventError",
  "event",
] as const;

/**
 * Rejects rules that have no effect or a different one than they state: a test with such a rule would pass for the
 * wrong reason.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertFault(rule: FaultRule): void {
  assertKnownOptions("a fault", rule, faultRuleOptions);
  const [problem] = [...optionProblems(rule, faultRuleOptions), ...problemsOf(rule)];
  if (problem !== undefined) {
    throw new KubeError("InvalidArgument", `invalid fault: ${problem}`);
  }
}

/** Returns the problems of fields that do not fit each other. */
function problemsOf(rule: FaultRule): string[] {
  const { verb, event, eventType } = rule;
  const given = effects.filter((key) => rule[key] !== undefined);
  const other = given.find((key) => key !== "event");
  return [
    ...(given.length === 0 ? [`the rule has no effect: set one of ${effects.join(", ")}`] : []),
    ...(verb !== undefined && event === undefined && !strikes(rule, verb)
      ? [`the effects of the rule do not apply to the verb ${verb}`]
      : []),
    ...(event === undefined && eventType !== undefined ? ["eventType needs event"] : []),
    // Event rules can't be combined with faults of requests.
    ...(event !== undefined && other !== undefined
      ? [`event cannot be combined with ${other}`]
      : []),
  ];
}
