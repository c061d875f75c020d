import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { canonicalCidrTexts, familyOf } from "../../phases/validate/addresses.js";
import {
  appendInvalid,
  validateOptional,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/name-texts.js";

const maxRanges = 2;

/** Appends the field errors of a ServiceCIDR. */
export function validateServiceCidr(object: ApiObject, errors: FieldErrors): void {
  const ranges = stringsOf(specOf(object)["cidrs"]);
  const field = "spec.cidrs";
  if (ranges.length === 0) {
    errors.push(cause.required(field, "at least one CIDR required"));
    return;
  }
  if (ranges.length > maxRanges) {
    const why = `may only hold up to ${maxRanges} values`;
    errors.push(cause.invalid(field, { CIDRs: ranges }, why));
    return;
  }
  const families = new Set(ranges.map(familyOf));
  const twice =
    "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  if (families.size < ranges.length) {
    errors.push(cause.invalid(field, ranges, twice));
  }
  for (const [at, range] of ranges.entries()) {
    appendInvalid(canonicalCidrTexts(range), range, `${field}[${at}]`, errors);
  }
}

/** Appends the field errors of an IPAddress. */
export function validateIpAddress(object: ApiObject, errors: FieldErrors): void {
  const { parentRef } = specOf(object);
  const { group, resource, name, namespace } = mapOf(parentRef);
  const field = "spec.parentRef";
  const segment = (key: string, value: unknown) =>
    pathSegmentTexts(String(value ?? "")).map((why) =>
      cause.invalid(`${field}.${key}`, value, why),
    );
  validateOptional(group, validateSubdomain, `${field}.group`, errors);
  errors.push(...segment("resource", resource));
  errors.push(...segment("name", name));
  errors.push(...segment("namespace", namespace));
}
