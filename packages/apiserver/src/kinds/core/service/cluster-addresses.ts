import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { ipTexts } from "../../../phases/validate/addresses.js";
import { isUnset } from "../../../phases/validate/checks.js";
import { duplicates, givenOneOf } from "../../../phases/validate/old-checks.js";

const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const maxAddresses = 2;

/**
 * Validates the addresses and address families of a Service that gets addresses. (core/validation
 * `ValidateServiceClusterIPsRelatedFields`)
 *
 * @param before - spec of the old Service; its addresses are not validated again.
 */
export function validateClusterAddress(spec: JsonObject, before: JsonObject = {}): FieldErrors {
  if (spec["type"] === "ExternalName") {
    return [];
  }
  const ips = stringsOf(spec["clusterIPs"]);
  const requested = stringsOf(spec["ipFamilies"]);
  const known = stringsOf(before["clusterIPs"]);
  const isHeadless = ips[0] === "None";
  const wrong = ips.flatMap((ip, at) =>
    (at === 0 && isHeadless) || known.includes(ip)
      ? []
      : ipTexts(ip).map((why) => cause.invalid(`spec.clusterIPs[${at}]`, ip, why)),
  );
  const misplaced =
    isHeadless && ips.length > 1
      ? [cause.invalid("spec.clusterIPs", ips, "'None' must be the first and only value")]
      : [];
  const causes = [
    ...validateSingularAddress(spec["clusterIP"], ips),
    ...requested.flatMap((family, at) => givenOneOf(`spec.ipFamilies[${at}]`, family, families)),
    ...duplicates(requested, (at) => `spec.ipFamilies[${at}]`),
    ...givenOneOf("spec.ipFamilyPolicy", spec["ipFamilyPolicy"], policies),
    ...misplaced,
    ...wrong,
    ...(ips.length > maxAddresses
      ? [cause.invalid("spec.clusterIPs", ips, `may only hold up to ${maxAddresses} values`)]
      : []),
  ];
  return wrong.length + misplaced.length > 0 || isHeadless
    ? causes
    : [...causes, ...validateSameFamily(ips), ...validateOtherFamily(ips, requested)];
}

/** Checks that `clusterIP` equals the first of `clusterIPs`. */
function validateSingularAddress(ip: unknown, ips: readonly string[]): FieldErrors {
  const field = "spec.clusterIPs";
  if (isUnset(ip)) {
    return ips.length === 0
      ? []
      : [cause.invalid(field, ips, "must be empty when `clusterIP` is not specified")];
  }
  if (ips.length === 0) {
    return [cause.required(field)];
  }
  return ips[0] === ip ? [] : [cause.invalid(field, ips, "first value must match `clusterIP`")];
}

function validateSameFamily(ips: readonly string[]): FieldErrors {
  return ips.length > 1 && new Set(ips.map(addressFamily)).size < ips.length
    ? [cause.invalid("spec.clusterIPs", ips, "may specify no more than one IP for each IP family")]
    : [];
}

function validateOtherFamily(ips: readonly string[], requested: readonly string[]): FieldErrors {
  return ips.flatMap((ip, at) => {
    const family = requested[at];
    return family !== undefined && families.includes(family) && family !== addressFamily(ip)
      ? [
          cause.invalid(
            `spec.clusterIPs[${at}]`,
            ip,
            `expected an ${family} value as indicated by \`ipFamilies[${at}]\``,
          ),
        ]
      : [];
  });
}

/** Returns the family of an address: `IPv4` or `IPv6`. */
export function addressFamily(ip: string): "IPv4" | "IPv6" {
  return ip.includes(":") ? "IPv6" : "IPv4";
}
