import { collectErrors, type FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { ipTexts } from "../../../phases/validate/addresses.js";
import { isUnset, validateGivenOneOf, validateUnique } from "../../../phases/validate/checks.js";

const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const maxAddresses = 2;

/**
 * Validates the addresses and address families of a Service that gets addresses. (core/validation
 * `ValidateServiceClusterIPsRelatedFields`)
 *
 * @param before - spec of the old Service; its addresses are not validated again.
 */
export function validateClusterAddress(
  spec: JsonObject,
  errors: FieldErrors,
  before: JsonObject = {},
): void {
  if (spec["type"] === "ExternalName") {
    return;
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
  const misplaced: FieldErrors = [];
  if (isHeadless && ips.length > 1) {
    misplaced.push(
      cause.invalid("spec.clusterIPs", ips, "'None' must be the first and only value"),
    );
  }
  const causes = [
    ...collectErrors((found) => validateSingularAddress(spec["clusterIP"], ips, found)),
    ...requested.flatMap((family, at) =>
      collectErrors((found) =>
        validateGivenOneOf(family, families, `spec.ipFamilies[${at}]`, found),
      ),
    ),
    ...collectErrors((found) => validateUnique(requested, (at) => `spec.ipFamilies[${at}]`, found)),
    ...collectErrors((found) =>
      validateGivenOneOf(spec["ipFamilyPolicy"], policies, "spec.ipFamilyPolicy", found),
    ),
    ...misplaced,
    ...wrong,
    ...(ips.length > maxAddresses
      ? [cause.invalid("spec.clusterIPs", ips, `may only hold up to ${maxAddresses} values`)]
      : []),
  ];
  if (wrong.length + misplaced.length > 0 || isHeadless) {
    errors.push(...causes);
  } else {
    errors.push(...causes);
    validateSameFamily(ips, errors);
    validateOtherFamily(ips, requested, errors);
  }
}

/** Checks that `clusterIP` equals the first of `clusterIPs`. */
function validateSingularAddress(ip: unknown, ips: readonly string[], errors: FieldErrors): void {
  const field = "spec.clusterIPs";
  if (isUnset(ip)) {
    if (ips.length !== 0) {
      errors.push(cause.invalid(field, ips, "must be empty when `clusterIP` is not specified"));
    }
    return;
  }
  if (ips.length === 0) {
    errors.push(cause.required(field));
    return;
  }
  if (ips[0] !== ip) {
    errors.push(cause.invalid(field, ips, "first value must match `clusterIP`"));
  }
}

function validateSameFamily(ips: readonly string[], errors: FieldErrors): void {
  if (ips.length > 1 && new Set(ips.map(addressFamily)).size < ips.length) {
    errors.push(
      cause.invalid("spec.clusterIPs", ips, "may specify no more than one IP for each IP family"),
    );
  }
}

function validateOtherFamily(
  ips: readonly string[],
  requested: readonly string[],
  errors: FieldErrors,
): void {
  for (const [at, ip] of ips.entries()) {
    const family = requested[at];
    if (family !== undefined && families.includes(family) && family !== addressFamily(ip)) {
      errors.push(
        cause.invalid(
          `spec.clusterIPs[${at}]`,
          ip,
          `expected an ${family} value as indicated by \`ipFamilies[${at}]\``,
        ),
      );
    }
  }
}

/** Returns the family of an address: `IPv4` or `IPv6`. */
export function addressFamily(ip: string): "IPv4" | "IPv6" {
  return ip.includes(":") ? "IPv6" : "IPv4";
}
