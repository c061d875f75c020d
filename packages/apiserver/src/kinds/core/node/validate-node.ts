import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { objectsOf, specOf } from "../../../objects/parts.js";
import { cidrTexts, familyOf } from "../../../phases/validate/addresses.js";
import { isUnset } from "../../../phases/validate/checks.js";
import { labelValue, qualifiedName } from "../../../phases/validate/old-checks.js";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Returns the field errors of a Node. */
export function validateNode(node: ApiObject): FieldErrors {
  const { taints, podCIDRs } = specOf(node);
  return [...validateTaint(objectsOf(taints)), ...validateRange(stringsOf(podCIDRs))];
}

/** Checks the pod CIDRs of a node: at most one per IP family. */
function validateRange(ranges: readonly string[]): FieldErrors {
  const field = "spec.podCIDRs";
  const families = new Set(ranges.map(familyOf));
  return [
    ...ranges.flatMap((range, at) =>
      cidrTexts(range).map((why) => cause.invalid(`${field}[${at}]`, range, why)),
    ),
    ...(ranges.length > 1 && families.size < ranges.length
      ? [cause.invalid(field, ranges, "may specify no more than one CIDR for each IP family")]
      : []),
  ];
}

/** Checks taints. Errors report them below `metadata`. */
function validateTaint(taints: readonly JsonObject[]): FieldErrors {
  const seen = new Set<string>();
  return taints.flatMap((taint, at) => {
    const { key, value, effect, timeAdded = null } = taint;
    const field = `metadata.taints[${at}]`;
    const pair = JSON.stringify([key, effect]);
    const isTwice = seen.has(pair);
    seen.add(pair);
    const shown = { Key: key, Value: value ?? "", Effect: effect, TimeAdded: timeAdded };
    return [
      ...qualifiedName(`${field}.key`, String(key ?? "")),
      ...(isUnset(value) ? [] : labelValue(`${field}.value`, String(value))),
      ...(isUnset(effect)
        ? [cause.required(`${field}.effect`)]
        : effects.includes(String(effect))
          ? []
          : [cause.notSupported(`${field}.effect`, effect, effects)]),
      ...(isTwice ? [twice(field, shown)] : []),
    ];
  });
}

function twice(field: string, shown: unknown) {
  const { message, ...rest } = cause.duplicate(field, shown);
  return { ...rest, message: `${message}: taints must be unique by key and effect pair` };
}
