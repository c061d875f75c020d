/** A validation rule of a definition (`x-kubernetes-validations`). */
export interface Rule {
  /** Expression in CEL that is true for valid values: `self.min <= self.max`. */
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: RuleOptions["reason"];
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Options of a validation rule. */
export interface RuleOptions {
  /** Text of the error. Default: `failed rule: ` and the expression. */
  readonly message?: string | undefined;
  /** Expression for the text of the error; `message` is used when it fails. Default: none. */
  readonly messageExpression?: string | undefined;
  /** Reason of the error. Default `FieldValueInvalid`. */
  readonly reason?:
    | "FieldValueDuplicate"
    | "FieldValueForbidden"
    | "FieldValueInvalid"
    | "FieldValueRequired"
    | undefined;
  /** Path of the field in the error, relative to the value: `.max`. Default: the value itself. */
  readonly fieldPath?: string | undefined;
  /** True to evaluate a rule with `oldSelf` on creates, too; `oldSelf` is then an optional value. Default false. */
  readonly optionalOldSelf?: boolean | undefined;
}
