import type { ApiObject } from "../../../objects/api-object.js";
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  mapItems,
  mapValues,
} from "../../../objects/json-value.js";
import { type FeatureGates, isRuleGate } from "../../../resources/feature-gates.js";
import type { SchemaNode } from "../../../schema/schema-node.js";
import { type FieldPlan, planOf, type TypePlan } from "./type-plan.js";

/** Drops fields from a value; returns unchanged values themselves. */
type Drop = (value: unknown, old: unknown, gates: FeatureGates) => unknown;

const drops = new WeakMap<TypePlan, Drop | undefined>();

/** Drops the fields of disabled features, like servers do. An object that already uses a feature keeps its fields. */
export function withoutDisabled(
  schema: SchemaNode,
  object: ApiObject,
  old: ApiObject | undefined,
  gates: FeatureGates,
): ApiObject {
  const plan = planOf(schema);
  const drop = plan && dropOf(plan);
  return drop === undefined ? object : (drop(object, old, gates) as ApiObject);
}

function dropOf(plan: TypePlan): Drop | undefined {
  if (!drops.has(plan)) {
    drops.set(plan, readDrop(plan));
  }
  return drops.get(plan);
}

function readDrop({ fields }: TypePlan): Drop | undefined {
  const kept = new Map<string, Drop>();
  for (const one of fields) {
    const drop = ofField(one);
    if (drop !== undefined) {
      kept.set(one.field.name, drop);
    }
  }
  return kept.size === 0
    ? undefined
    : (value, old, gates) =>
        isJsonObject(value)
          ? mapValues(value, (one, name) => {
              const drop = kept.get(name);
              return drop === undefined
                ? one
                : drop(one, isJsonObject(old) ? getOwn(old, name) : undefined, gates);
            })
          : value;
}

function ofField({ gate, inner, field, identity }: FieldPlan): Drop | undefined {
  const below = inner && dropOf(inner);
  if (gate !== undefined && isRuleGate(gate)) {
    return (value, old, gates) => (gates[gate] || (old ?? null) !== null ? value : undefined);
  }
  if (below === undefined || field.node.form === "struct") {
    return below;
  }
  return (value, old, gates) => {
    if (Array.isArray(value)) {
      const olds: unknown[] = identity !== undefined && Array.isArray(old) ? old : [];
      return mapItems(value, (item) =>
        below(
          item,
          olds.find((one) => identity?.(one) === identity?.(item)),
          gates,
        ),
      );
    }
    const olds: JsonObject = isJsonObject(old) ? old : {};
    return isJsonObject(value)
      ? mapValues(value, (item, key) => below(item, getOwn(olds, key), gates))
      : value;
  };
}
