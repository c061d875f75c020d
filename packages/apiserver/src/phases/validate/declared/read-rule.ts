import type { FieldSchema } from "@typekube/api/schema";
import { getOwn, isJsonObject } from "../../../objects/json-value.js";
import { isRuleGate } from "../../../resources/feature-gates.js";
import { type Check, type Rule, type RuleMaker, whenSet } from "./rule.js";

/** Rule makers by name. */
export type RuleMakers = Readonly<Record<string, RuleMaker>>;

const conditional = /^(ifEnabled|ifDisabled)\("?(\w+)"?\)=(.*)$/;
const each = /^(eachKey|eachVal)=(.*)$/;

/**
 * Parses one declared rule: `maxItems=8`, `ifEnabled(Gate)=minimum=0`, `eachKey=format=k8s-short-name`.
 *
 * @returns `undefined` for rules that don't concern single fields or that real servers implement in code:
 * `customValidation`.
 */
export function readRule(text: string, field: FieldSchema, makers: RuleMakers): Rule | undefined {
  const [, condition, gate = "", guarded = ""] = conditional.exec(text) ?? [];
  if (condition !== undefined) {
    const rule = readRule(guarded, field, makers);
    return rule && whenGate(gate, condition === "ifEnabled", rule);
  }
  const [, which, ofEach = ""] = each.exec(text) ?? [];
  if (which !== undefined) {
    const rule = readRule(ofEach, field, makers);
    return rule && whenSet(which === "eachKey" ? ofKeys(rule) : ofItems(rule));
  }
  const [, name = "", argument = ""] = /^(\w+)(?:=(.*))?$/.exec(text) ?? [];
  const rule = Object.hasOwn(makers, name) ? makers[name]?.(argument, field) : undefined;
  // For a list, the enum applies to each item.
  return name === "enum" && field.container === "list" && rule !== undefined
    ? whenSet(ofItems(rule))
    : rule;
}

function whenGate(gate: string, isOn: boolean, { check, isFirst }: Rule): Rule {
  return {
    isFirst,
    check: (place) => (isRuleGate(gate) && place.gates?.[gate] === isOn ? check(place) : []),
  };
}

function ofItems({ check }: Rule): Check {
  return (place) => {
    const { path, value, old } = place;
    const known: unknown[] = Array.isArray(old) ? old : [];
    return (Array.isArray(value) ? value : []).flatMap((item, at) =>
      known.includes(item) ? [] : check({ ...place, path: `${path}[${at}]`, value: item }),
    );
  };
}

/** Applies a rule to each new key of a map; errors are reported at the map. */
function ofKeys({ check }: Rule): Check {
  return (place) => {
    const { value, old } = place;
    return Object.keys(isJsonObject(value) ? value : {}).flatMap((key) =>
      isJsonObject(old) && getOwn(old, key) !== undefined ? [] : check({ ...place, value: key }),
    );
  };
}
