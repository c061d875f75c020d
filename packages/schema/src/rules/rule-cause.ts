import type { FalseConjunct } from "@typekube/cel";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { trimSpace } from "@typekube/core/internal/texts";
import { omittedValue } from "./omitted-value.js";
import { ruleText, type ValidationRule } from "./validation-rule.js";

/** A problem that a rule found: what a server says, and why if that was asked for. */
export interface RuleCause extends StatusCause {
  /**
   * Why the rule is false, with the values that it saw, for example "self.replicas (7) <= self.max (5)"; or why it is too
   * expensive. A server does not send it.
   */
  explanation?: string;
  /** The parts of the rule that are false, with their values; beside `explanation`. */
  conjuncts?: readonly FalseConjunct[];
}

/** Returns the message of a rule that fails. */
export function failureMessage(message: string, rule: ValidationRule): string {
  return message.startsWith("no such overload")
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`
    : `${message} evaluating rule: ${ruleText(rule)}`;
}

/** Returns the message of a rule that is false, unless a message expression gives another one. */
export function defaultMessage(rule: ValidationRule): string {
  return rule.message === "" ? `failed rule: ${ruleText(rule)}` : trimSpace(rule.message);
}

/** Returns the problem of a rule that is false, by its reason. */
export function ruleCause(
  { reason }: ValidationRule,
  field: string,
  value: unknown,
  message: string,
): StatusCause {
  switch (reason) {
    case "FieldValueForbidden":
      return cause.forbidden(field, message);
    case "FieldValueRequired":
      return cause.required(field, message);
    case "FieldValueDuplicate":
      return value === omittedValue
        ? { reason: "FieldValueDuplicate", message: "Duplicate value", field }
        : cause.duplicate(field, value);
    default:
      return value === omittedValue
        ? { reason: "FieldValueInvalid", message: `Invalid value: ${message}`, field }
        : cause.invalid(field, value, message);
  }
}
