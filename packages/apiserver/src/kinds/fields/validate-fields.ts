import type { FieldSchema } from "@typekube/api/schema";
import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { fieldRules } from "../../generated/field-rules.js";
import { getOwn, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { type Check, validateItems } from "../../phases/validate/checks.js";
import { readRule } from "../../phases/validate/declared/read-rule.js";
import {
  checkRules,
  first,
  isUnsetIn,
  type Rule,
  whenSet,
} from "../../phases/validate/declared/rule.js";
import { fieldRuleMakers } from "./field-rule-makers.js";

/** A Go type with rows in `packages/codegen/src/field-rules`. */
export type RuledType = keyof typeof fieldRules;

type RuledField<T extends RuledType> = keyof (typeof fieldRules)[T] & string;

interface CompiledField {
  readonly schema: FieldSchema;
  readonly rules: readonly Rule[];
  /** `true` if a rule also checks unset values. */
  readonly checksUnset: boolean;
}

const compiled = new Map<RuledType, ReadonlyMap<string, CompiledField>>();
const makers = fieldRuleMakers((_, { type, container, pointer }) => {
  const check = fieldsCheck(type as RuledType);
  // Go has an absent struct with all fields empty, unless a pointer leads to it.
  return container === undefined && pointer !== true
    ? first(({ path, value }) => collectErrors((errors) => check(mapOf(value), path, errors)))
    : whenSet(({ path, value }) =>
        collectErrors((errors) => {
          if (container === "list") {
            validateItems(objectsOf(value), check, path, errors);
          } else {
            check(mapOf(value), path, errors);
          }
        }),
      );
});

/** Appends the field errors of a struct by all rows of its Go type, in their order. */
export function validateFields(
  type: RuledType,
  object: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  for (const [name, field] of rulesOf(type)) {
    validateField(name, field, object, path, errors);
  }
}

/** Returns the check of a struct by all rows of its Go type. */
export function fieldsCheck(type: RuledType): Check<JsonObject> {
  return (object, path, errors) => validateFields(type, object, path, errors);
}

/**
 * Returns a function that appends the field errors of the named fields of a struct, for a type whose simple checks stand
 * between others: the errors of a Status keep the order of kube-apiserver's checks.
 */
export function fieldValidator<T extends RuledType>(
  type: T,
  object: JsonObject,
  path: string,
  errors: FieldErrors,
): (...fields: readonly RuledField<T>[]) => void {
  const rules = rulesOf(type);
  return (...fields) => {
    for (const name of fields) {
      const field = rules.get(name);
      if (field !== undefined) {
        validateField(name, field, object, path, errors);
      }
    }
  };
}

function validateField(
  name: string,
  { schema, rules, checksUnset }: CompiledField,
  object: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const value = getOwn(object, name);
  // Most fields of most objects are unset.
  if (checksUnset || !isUnsetIn(schema, value)) {
    const at = path === "" ? name : `${path}.${name}`;
    const place = { path: at, value, old: undefined, isKept: false };
    errors.push(...checkRules(rules, schema, place).causes);
  }
}

/** Returns the rules of a type, compiled on first use. */
function rulesOf(type: RuledType): ReadonlyMap<string, CompiledField> {
  let rules = compiled.get(type);
  if (rules === undefined) {
    const fields: Readonly<Record<string, FieldSchema>> = fieldRules[type];
    rules = new Map(
      Object.entries(fields).map(([name, schema]) => [name, compileField(type, name, schema)]),
    );
    compiled.set(type, rules);
  }
  return rules;
}

function compileField(type: string, name: string, schema: FieldSchema): CompiledField {
  const rules = (schema.validations ?? []).map((text) => {
    const rule = readRule(text, schema, makers);
    if (rule === undefined) {
      throw new Error(`the rule "${text}" of the field ${type}.${name} is not known`);
    }
    return rule;
  });
  return { schema, rules, checksUnset: rules.some(({ isFirst }) => isFirst) };
}
