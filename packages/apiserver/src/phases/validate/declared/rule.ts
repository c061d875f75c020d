import type { FieldSchema } from "@typekube/api/schema";
import type { FieldErrors } from "../../../errors/field-errors.js";
import type { FeatureGates } from "../../../resources/feature-gates.js";

/** The value that a rule checks. */
export interface Place {
  /** Path as shown in errors. */
  readonly path: string;
  readonly value: unknown;
  /** Value in the old object. */
  readonly old: unknown;
  /** `false` if no old value can exist: on create, and in new items. */
  readonly isKept: boolean;
  /** Absent where no rule depends on a gate. */
  readonly gates?: FeatureGates | undefined;
}

/** Returns the field errors by one rule. */
export type Check = (place: Place) => FieldErrors;

/** A rule that a type declares for a field. */
export interface Rule {
  readonly check: Check;
  /** `true` for rules that run first, also on unset values; when one fails, the field's other rules are skipped. */
  readonly isFirst: boolean;
}

/** Creates a rule from its argument; `undefined` when it does not apply to the field. */
export type RuleMaker = (argument: string, field: FieldSchema) => Rule | undefined;

/** Creates a rule that runs first, also on unset values. */
export function first(check: Check): Rule {
  return { check, isFirst: true };
}

/** Creates a rule that runs only on set values. */
export function whenSet(check: Check): Rule {
  return { check, isFirst: false };
}

/** Returns whether a field is unset for Go: a zero value counts as unset unless the field is a pointer. */
export function isUnsetIn({ pointer }: FieldSchema, value: unknown): boolean {
  switch (typeof value) {
    case "undefined":
      return true;
    case "object":
      return value === null || (Array.isArray(value) && value.length === 0);
    default:
      return pointer !== true && (value === "" || value === false || value === 0 || value === 0n);
  }
}

/** Returns the field errors of a value by its rules: those that run first, and the others if these find nothing. */
export function checkRules(
  rules: readonly Rule[],
  schema: FieldSchema,
  place: Place,
): { readonly causes: FieldErrors; readonly isDone: boolean } {
  const causes: FieldErrors = [];
  appendCauses(rules, true, place, causes);
  const isDone = causes.length > 0 || isUnsetIn(schema, place.value);
  if (!isDone) {
    appendCauses(rules, false, place, causes);
  }
  return { causes, isDone };
}

function appendCauses(
  rules: readonly Rule[],
  isFirst: boolean,
  place: Place,
  causes: FieldErrors,
): void {
  for (const rule of rules) {
    if (rule.isFirst === isFirst) {
      causes.push(...rule.check(place));
    }
  }
}
