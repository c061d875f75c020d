import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { objectsOf, specOf } from "../../../objects/parts.js";
import { cidrTexts, familyOf } from "../../../phases/validate/addresses.js";
import {
  appendInvalid,
  isUnset,
  validateLabelValue,
  validateOptional,
  validateQualifiedName,
} from "../../../phases/validate/checks.js";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Appends the field errors of a Node. */
export function validateNode(node: ApiObject, errors: FieldErrors): void {
  const { taints, podCIDRs } = specOf(node);
  validateTaint(objectsOf(taints), errors);
  validateRange(stringsOf(podCIDRs), errors);
}

/** Checks the pod CIDRs of a node: at most one per IP family. */
function validateRange(ranges: readonly string[], errors: FieldErrors): void {
  const field = "spec.podCIDRs";
  const families = new Set(ranges.map(familyOf));
  for (const [at, range] of ranges.entries()) {
    appendInvalid(cidrTexts(range), range, `${field}[${at}]`, errors);
  }
  if (ranges.length > 1 && families.size < ranges.length) {
    errors.push(
      cause.invalid(field, ranges, "may specify no more than one CIDR for each IP family"),
    );
  }
}

/** Checks taints. Errors report them below `metadata`. */
function validateTaint(taints: readonly JsonObject[], errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [at, taint] of taints.entries()) {
    const { key, value, effect, timeAdded = null } = taint;
    const field = `metadata.taints[${at}]`;
    const pair = JSON.stringify([key, effect]);
    const isTwice = seen.has(pair);
    seen.add(pair);
    const shown = { Key: key, Value: value ?? "", Effect: effect, TimeAdded: timeAdded };
    validateQualifiedName(key, `${field}.key`, errors);
    validateOptional(value, validateLabelValue, `${field}.value`, errors);
    if (isUnset(effect)) {
      errors.push(cause.required(`${field}.effect`));
    } else if (!effects.includes(String(effect))) {
      errors.push(cause.notSupported(`${field}.effect`, effect, effects));
    }
    if (isTwice) {
      errors.push(twice(field, shown));
    }
  }
}

function twice(field: string, shown: unknown) {
  const { message, ...rest } = cause.duplicate(field, shown);
  return { ...rest, message: `${message}: taints must be unique by key and effect pair` };
}
