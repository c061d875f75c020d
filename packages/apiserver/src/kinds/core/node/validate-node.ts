import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { objectsOf, specOf } from "../../../objects/parts.js";
import { cidrTexts, familyOf } from "../../../phases/validate/addresses.js";
import { appendInvalid } from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";

/** Appends the field errors of a Node. Errors report its taints below `metadata`. */
export function validateNode(node: ApiObject, errors: FieldErrors): void {
  const { taints, podCIDRs } = specOf(node);
  const seen = new Set<string>();
  for (const [at, taint] of objectsOf(taints).entries()) {
    validateTaint(taint, `metadata.taints[${at}]`, errors, seen);
  }
  validateRanges(stringsOf(podCIDRs), "spec.podCIDRs", errors);
}

/** Checks the pod CIDRs of a node: at most one per IP family. */
function validateRanges(ranges: readonly string[], path: string, errors: FieldErrors): void {
  for (const [at, range] of ranges.entries()) {
    appendInvalid(cidrTexts(range), range, `${path}[${at}]`, errors);
  }
  if (ranges.length > 1 && new Set(ranges.map(familyOf)).size < ranges.length) {
    const why = "may specify no more than one CIDR for each IP family";
    errors.push(cause.invalid(path, ranges, why));
  }
}

function validateTaint(
  taint: JsonObject,
  path: string,
  errors: FieldErrors,
  seen: Set<string>,
): void {
  const { key, value, effect, timeAdded = null } = taint;
  const pair = JSON.stringify([key, effect]);
  validateFields("core/v1.Taint", taint, path, errors);
  if (seen.has(pair)) {
    const shown = { Key: key, Value: value ?? "", Effect: effect, TimeAdded: timeAdded };
    const { message, ...rest } = cause.duplicate(path, shown);
    errors.push({ ...rest, message: `${message}: taints must be unique by key and effect pair` });
  }
  seen.add(pair);
}
