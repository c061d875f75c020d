import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { canonicalCidrTexts, familyOf } from "../../phases/validate/addresses.js";
import { isUnset } from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/metadata.js";
import { subdomain } from "../../phases/validate/old-checks.js";

const maxRanges = 2;

/** Returns the field errors of a ServiceCIDR. */
export function validateServiceCidr(object: ApiObject): FieldErrors {
  const ranges = stringsOf(specOf(object)["cidrs"]);
  const field = "spec.cidrs";
  if (ranges.length === 0) {
    return [cause.required(field, "at least one CIDR required")];
  }
  if (ranges.length > maxRanges) {
    const why = `may only hold up to ${maxRanges} values`;
    return [cause.invalid(field, { CIDRs: ranges }, why)];
  }
  const families = new Set(ranges.map(familyOf));
  const twice =
    "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  return [
    ...(families.size < ranges.length ? [cause.invalid(field, ranges, twice)] : []),
    ...ranges.flatMap((range, at) =>
      canonicalCidrTexts(range).map((why) => cause.invalid(`${field}[${at}]`, range, why)),
    ),
  ];
}

/** Returns the field errors of an IPAddress. */
export function validateIpAddress(object: ApiObject): FieldErrors {
  const { parentRef } = specOf(object);
  const { group, resource, name, namespace } = mapOf(parentRef);
  const field = "spec.parentRef";
  const segment = (key: string, value: unknown) =>
    pathSegmentTexts(String(value ?? "")).map((why) =>
      cause.invalid(`${field}.${key}`, value, why),
    );
  return [
    ...(isUnset(group) ? [] : subdomain(`${field}.group`, group)),
    ...segment("resource", resource),
    ...segment("name", name),
    ...segment("namespace", namespace),
  ];
}
