import { KubeError } from "@typekube/core";
import { escapeFieldName } from "@typekube/schema";
import type { $ZodType, input } from "zod/v4/core";
import { rule } from "./make-rule.js";

type FieldOf<S extends $ZodType> = keyof NonNullable<input<S>> & string;

/**
 * Rejects changes of a value. A field that is missing may still be set, and an optional one removed; require the field to
 * prevent that.
 */
export function immutable<S extends $ZodType>(schema: S): S {
  return rule(schema, "self == oldSelf", { message: "field is immutable" });
}

/** Requires exactly one of several fields of an object. */
export function oneOfRequired<S extends $ZodType>(
  schema: S,
  ...fields: readonly [FieldOf<S>, FieldOf<S>, ...FieldOf<S>[]]
): S {
  return rule(schema, `${countOf(fields, "oneOfRequired()")} == 1`, {
    message: `exactly one of ${fields.join(", ")} must be set`,
  });
}

/** Allows at most one of several fields of an object. */
export function atMostOne<S extends $ZodType>(
  schema: S,
  ...fields: readonly [FieldOf<S>, FieldOf<S>, ...FieldOf<S>[]]
): S {
  return rule(schema, `${countOf(fields, "atMostOne()")} <= 1`, {
    message: `at most one of ${fields.join(", ")} may be set`,
  });
}

/**
 * Requires a field of an object when a condition is met.
 *
 * @param condition - CEL about the object: `self.type == 'Custom'`.
 */
export function requiredWhen<S extends $ZodType>(
  schema: S,
  field: FieldOf<S>,
  condition: string,
): S {
  return rule(schema, `!(${condition}) || ${hasField(field, "requiredWhen()")}`, {
    message: `${field} is required when ${condition}`,
    reason: "FieldValueRequired",
    fieldPath: `.${field}`,
  });
}

function countOf(fields: readonly string[], call: string): string {
  return `[${fields.map((field) => hasField(field, call)).join(", ")}].filter(isSet, isSet).size()`;
}

function hasField(field: string, call: string): string {
  const name = escapeFieldName(field);
  if (name === undefined) {
    throw new KubeError("InvalidArgument", `${call}: rules cannot reach the field ${field}`, {
      hint: "use a name of letters, digits and _",
    });
  }
  return `has(self.${name})`;
}
