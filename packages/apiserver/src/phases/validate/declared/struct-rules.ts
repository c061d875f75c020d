import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { getOwn, type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import type { SchemaField } from "../../../schema/schema-node.js";
import { isUnsetIn, type Place, type Rule } from "./rule.js";

/** A rule about several fields of an object. */
export type StructRule = (
  object: JsonObject,
  old: JsonObject | undefined,
  at: Place,
) => FieldErrors;

/** Creates a rule that requires exactly one of some fields. */
export function unionRule(members: readonly SchemaField[]): StructRule {
  const all = members.map(({ name }) => `\`${name}\``).join(", ");
  const setIn = (object: JsonObject) =>
    members
      .filter(({ name, schema }) => !isUnsetIn(schema, getOwn(object, name)))
      .map(({ name }) => name);
  return (object, old, { path }) => {
    const set = setIn(object);
    if (set.length === 1 || (old !== undefined && jsonEqual(set, setIn(old)))) {
      return [];
    }
    return set.length === 0
      ? [cause.invalid(path, "", `must specify one of: ${all}`)]
      : [cause.invalid(path, `{${set.join(", ")}}`, `must specify exactly one of: ${all}`)];
  };
}

/**
 * Creates a rule for a field that depends on the value of a discriminator: the rules for that value, or that the field
 * must be unset.
 */
export function modeRule(
  mode: string,
  { name, schema }: SchemaField,
  rules: ReadonlyMap<string, readonly Rule[]>,
): StructRule {
  return (object, old, at) => {
    const value = getOwn(object, name);
    const word = String(getOwn(object, mode) ?? "");
    if (
      old !== undefined &&
      word === String(getOwn(old, mode) ?? "") &&
      jsonEqual(value ?? null, getOwn(old, name) ?? null)
    ) {
      return [];
    }
    const path = at.path === "" ? name : `${at.path}.${name}`;
    const ofWord = rules.get(word);
    if (ofWord === undefined) {
      return isUnsetIn(schema, value) ? [] : [cause.forbidden(path, "")];
    }
    return ofWord.flatMap(({ check }) =>
      check({ ...at, path, value, old: old && getOwn(old, name) }),
    );
  };
}
