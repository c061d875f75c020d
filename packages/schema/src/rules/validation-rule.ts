import { isJsonObject } from "@typekube/core/internal/json";
import { trimSpace } from "@typekube/core/internal/texts";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** The reasons that a rule can give. */
export type RuleReason =
  | "FieldValueDuplicate"
  | "FieldValueForbidden"
  | "FieldValueInvalid"
  | "FieldValueRequired";

/** An entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: RuleReason | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
  /** True if the rule says whether the old value is optional. */
  readonly hasOptionalOldSelf: boolean;
}

const reasons: readonly RuleReason[] = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** Returns the rules of one place of a schema. Malformed parts count as absent: checks of the definition report them. */
export function rulesOf({ source }: StructuralSchema): readonly ValidationRule[] {
  const rules: unknown = source["x-kubernetes-validations"];
  return Array.isArray(rules)
    ? rules.filter(isJsonObject).map((rule) => ({
        rule: textOf(rule["rule"]),
        message: textOf(rule["message"]),
        messageExpression: textOf(rule["messageExpression"]),
        reason: reasons.find((known) => known === rule["reason"]),
        fieldPath: textOf(rule["fieldPath"]),
        optionalOldSelf: rule["optionalOldSelf"] === true,
        hasOptionalOldSelf: typeof rule["optionalOldSelf"] === "boolean",
      }))
    : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the text by which messages name a rule: its message or the rule itself. */
export function ruleText({ message, rule }: ValidationRule): string {
  return trimSpace(message === "" ? rule : message);
}
