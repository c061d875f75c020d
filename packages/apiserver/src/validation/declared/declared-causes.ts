import type { FeatureGates } from "../../resources/feature-gates.js";
import type { SchemaNode } from "../../schema/schema-node.js";
import { getOwn, isJsonObject, type JsonObject, jsonEqual } from "../../store/json-value.js";
import type { ApiObject } from "../../store/stored-object.js";
import type { Causes } from "../checks.js";
import { isUnsetIn, type Place } from "./rule.js";
import { type FieldPlan, planOf, type TypePlan } from "./type-plan.js";

/**
 * What is wrong with an object by the rules that its type declares. What an update leaves as it was is not looked at
 * again, however wrong it is.
 *
 * @param before - the object that is replaced.
 */
export function declaredCauses(
  schema: SchemaNode,
  object: ApiObject,
  before: ApiObject | undefined,
  gates: FeatureGates,
): Causes {
  const plan = planOf(schema);
  const place = { path: "", value: object, before, isKept: before !== undefined, gates };
  return plan === undefined ? [] : structCauses(plan, object, place);
}

/** Adds what others have not said: whoever looked, the same field is told the same reason once. */
export function withDeclared(told: Causes, declared: Causes): Causes {
  const isTold = ({ field, reason }: Causes[number]) =>
    told.some((one) => one.field === field && one.reason === reason);
  return declared.length === 0 ? told : [...told, ...declared.filter((one) => !isTold(one))];
}

function structCauses(plan: TypePlan, object: JsonObject, at: Place): Causes {
  const before = isJsonObject(at.before) ? at.before : undefined;
  const isKept = before !== undefined;
  const causes = plan.rules.flatMap((rule) => rule(object, before, { ...at, isKept }));
  for (const one of plan.fields) {
    const { name } = one.field;
    const place = {
      path: at.path === "" ? name : `${at.path}.${name}`,
      value: getOwn(object, name),
      before: before && getOwn(before, name),
      isKept,
      gates: at.gates,
    };
    causes.push(...fieldCauses(one, place));
  }
  return causes;
}

function fieldCauses(plan: FieldPlan, place: Place): Causes {
  if (isAsBefore(place)) {
    return [];
  }
  const firsts = plan.rules.flatMap(({ isFirst, check }) => (isFirst ? check(place) : []));
  if (firsts.length > 0 || isUnsetIn(plan.field.schema, place.value)) {
    return firsts;
  }
  const causes = plan.rules.flatMap(({ isFirst, check }) => (isFirst ? [] : check(place)));
  return plan.inner === undefined ? causes : [...causes, ...innerCauses(plan, plan.inner, place)];
}

function isAsBefore({ value, before, isKept }: Place): boolean {
  return isKept && jsonEqual(value ?? null, before ?? null);
}

function innerCauses({ field, identity }: FieldPlan, inner: TypePlan, place: Place): Causes {
  const { path, value, before } = place;
  const look = (item: unknown, then: unknown, where: string): Causes => {
    const at = { ...place, path: where, value: item, before: then, isKept: then !== undefined };
    return isJsonObject(item) && !isAsBefore(at) ? structCauses(inner, item, at) : [];
  };
  if (Array.isArray(value)) {
    const olds: unknown[] = identity !== undefined && Array.isArray(before) ? before : [];
    return value.flatMap((item, at) => {
      const own = identity?.(item);
      const then = olds.find((old) => identity?.(old) === own);
      return look(item, then, `${path}[${at}]`);
    });
  }
  if (field.node.form !== "map" || !isJsonObject(value)) {
    return look(value, before, path);
  }
  const olds = isJsonObject(before) ? before : {};
  return Object.entries(value).flatMap(([key, item]) =>
    look(item, getOwn(olds, key), `${path}[${key}]`),
  );
}
