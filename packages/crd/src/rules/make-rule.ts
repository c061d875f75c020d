import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable } from "@typekube/core/internal";
import * as code from "@typekube/schema/rules";
import type { $ZodType } from "zod/v4/core";
import { annotated, metaOf } from "../helpers/annotated.js";
import type { Rule, RuleOptions } from "./rule.js";
import { provideRules } from "./rules-code.js";

const rulesKey = "x-kubernetes-validations";

const ruleOptions: OptionTable<RuleOptions> = {
  fieldPath: true,
  message: true,
  messageExpression: true,
  optionalOldSelf: true,
  reason: true,
};

/**
 * Adds a validation rule to a zod schema. Servers evaluate it; `defineResource` compiles it and estimates its cost.
 *
 * @param expression - CEL that is true for valid values. `self` is the value, `oldSelf` the one before an update.
 * @example
 * ```ts
 * import * as z from "zod";
 *
 * const range = rule(z.object({ min: z.int(), max: z.int() }), "self.min <= self.max", {
 *   message: "min must not be greater than max",
 * });
 * ```
 * @throws {KubeError} `InvalidArgument` for an unknown option.
 */
export function rule<S extends $ZodType>(schema: S, expression: string, options?: RuleOptions): S;
/** Creates a validation rule about the whole object, for the option `cel` of `defineResource`. */
export function rule(expression: string, options?: RuleOptions): Rule;
export function rule(
  subject: $ZodType | string,
  second: RuleOptions | string = {},
  third: RuleOptions = {},
): $ZodType | Rule {
  provideRules(code);
  if (typeof subject === "string") {
    return ruleOf(subject, second as RuleOptions);
  }
  if (typeof second !== "string") {
    throw new KubeError("InvalidArgument", "rule() needs an expression after the schema", {
      hint: 'for example rule(schema, "self.min <= self.max")',
    });
  }
  const before = metaOf(subject, rulesKey);
  const rules = [...(Array.isArray(before) ? before : []), ruleOf(second, third)];
  return annotated(subject, "rule()", { [rulesKey]: rules });
}

function ruleOf(expression: string, options: RuleOptions): Rule {
  assertOptions("rule()", options, ruleOptions);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { rule: expression, ...Object.fromEntries(given) };
}
