import type { FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { getOwn, isJsonObject, type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import type { FeatureGates } from "../../../resources/feature-gates.js";
import type { SchemaNode } from "../../../schema/schema-node.js";
import { checkRules, type Place } from "./rule.js";
import { type FieldPlan, planOf, type TypePlan } from "./type-plan.js";

/**
 * Returns the field errors of an object by the rules declared in its type. Values that an update leaves unchanged are
 * not validated again, even if invalid.
 *
 * @param old - the old object.
 */
export function validateDeclaredRules(
  schema: SchemaNode,
  object: ApiObject,
  old: ApiObject | undefined,
  gates: FeatureGates,
): FieldErrors {
  const plan = planOf(schema);
  const place = { path: "", value: object, old, isKept: old !== undefined, gates };
  return plan === undefined ? [] : validateStruct(plan, object, place);
}

/** Adds declared field errors, except those that hand-written code reports, too. */
export function withDeclared(received: FieldErrors, declared: FieldErrors): FieldErrors {
  const isDelivered = ({ field, message }: FieldErrors[number]) =>
    received.some((one) => one.field === field && one.message === message);
  return declared.length === 0
    ? received
    : [...received, ...declared.filter((one) => !isDelivered(one))];
}

function validateStruct(plan: TypePlan, object: JsonObject, at: Place): FieldErrors {
  const old = isJsonObject(at.old) ? at.old : undefined;
  const isKept = old !== undefined;
  const causes = plan.rules.flatMap((rule) => rule(object, old, { ...at, isKept }));
  for (const one of plan.fields) {
    const { name } = one.field;
    const place = {
      path: at.path === "" ? name : `${at.path}.${name}`,
      value: getOwn(object, name),
      old: old && getOwn(old, name),
      isKept,
      gates: at.gates,
    };
    causes.push(...validateField(one, place));
  }
  return causes;
}

function validateField(plan: FieldPlan, given: Place): FieldErrors {
  const place = isEmptyStruct(plan, given.value) ? { ...given, value: {} } : given;
  if (isUnchanged(given)) {
    return [];
  }
  const { causes, isDone } = checkRules(plan.rules, plan.field.schema, place);
  return isDone || plan.inner === undefined
    ? causes
    : [...causes, ...validateInnerType(plan, plan.inner, place)];
}

/** Returns whether an absent value is a struct with empty fields in Go: it is required, and has no rules of its own. */
function isEmptyStruct({ field, rules }: FieldPlan, value: unknown): boolean {
  const { node, schema } = field;
  const isAbsent = value === undefined || value === null;
  return isAbsent && node.form === "struct" && schema.required === true && rules.length === 0;
}

function isUnchanged({ value, old, isKept }: Place): boolean {
  return isKept && jsonEqual(value ?? null, old ?? null);
}

function validateInnerType(
  { field, identity }: FieldPlan,
  inner: TypePlan,
  place: Place,
): FieldErrors {
  const { path, value, old } = place;
  const look = (item: unknown, oldItem: unknown, where: string): FieldErrors => {
    const at = { ...place, path: where, value: item, old: oldItem, isKept: oldItem !== undefined };
    return isJsonObject(item) && !isUnchanged(at) ? validateStruct(inner, item, at) : [];
  };
  if (Array.isArray(value)) {
    const olds: unknown[] = identity !== undefined && Array.isArray(old) ? old : [];
    return value.flatMap((item, at) => {
      const own = identity?.(item);
      const oldItem = olds.find((one) => identity?.(one) === own);
      return look(item, oldItem, `${path}[${at}]`);
    });
  }
  if (field.node.form !== "map" || !isJsonObject(value)) {
    return look(value, old, path);
  }
  const olds = isJsonObject(old) ? old : {};
  return Object.entries(value).flatMap(([key, item]) =>
    look(item, getOwn(olds, key), `${path}[${key}]`),
  );
}
