import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import {
  isUnset,
  validateGivenOneOf,
  validateIp,
  validateUnique,
} from "../../../phases/validate/checks.js";
import { fieldValidator } from "../../fields/validate-fields.js";

const families = ["IPv4", "IPv6"];
const maxAddresses = 2;

/**
 * Appends the field errors of the addresses and address families of a Service that gets addresses. (core/validation
 * `ValidateServiceClusterIPsRelatedFields`)
 *
 * @param old - spec of the old Service; its addresses are not validated again.
 */
export function validateClusterAddresses(
  spec: JsonObject,
  errors: FieldErrors,
  old: JsonObject = {},
): void {
  const { type, clusterIP } = spec;
  if (type === "ExternalName") {
    return;
  }
  const ips = stringsOf(spec["clusterIPs"]);
  const requested = stringsOf(spec["ipFamilies"]);
  const isHeadless = ips[0] === "None";
  validateSingularAddress(clusterIP, ips, "spec.clusterIPs", errors);
  for (const [at, family] of requested.entries()) {
    validateGivenOneOf(family, families, `spec.ipFamilies[${at}]`, errors);
  }
  validateUnique(requested, (at) => `spec.ipFamilies[${at}]`, errors);
  fieldValidator("core/v1.ServiceSpec", spec, "spec", errors)("ipFamilyPolicy");
  const count = errors.length;
  if (isHeadless && ips.length > 1) {
    errors.push(cause.invalid("spec.clusterIPs", ips, "'None' must be the first and only value"));
  }
  const known = stringsOf(old["clusterIPs"]);
  for (const [at, ip] of ips.entries()) {
    if (!(at === 0 && isHeadless) && !known.includes(ip)) {
      validateIp(ip, `spec.clusterIPs[${at}]`, errors);
    }
  }
  const areValid = errors.length === count;
  if (ips.length > maxAddresses) {
    const why = `may only hold up to ${maxAddresses} values`;
    errors.push(cause.invalid("spec.clusterIPs", ips, why));
  }
  if (areValid && !isHeadless) {
    validateAddressFamilies(ips, requested, "spec.clusterIPs", errors);
  }
}

/** Checks that `clusterIP` equals the first of `clusterIPs`. */
function validateSingularAddress(
  ip: unknown,
  ips: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(ip) && ips.length > 0) {
    errors.push(cause.invalid(path, ips, "must be empty when `clusterIP` is not specified"));
  } else if (!isUnset(ip) && ips.length === 0) {
    errors.push(cause.required(path));
  } else if (!isUnset(ip) && ips[0] !== ip) {
    errors.push(cause.invalid(path, ips, "first value must match `clusterIP`"));
  }
}

function validateAddressFamilies(
  ips: readonly string[],
  requested: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (ips.length > 1 && new Set(ips.map(addressFamily)).size < ips.length) {
    errors.push(cause.invalid(path, ips, "may specify no more than one IP for each IP family"));
  }
  for (const [at, ip] of ips.entries()) {
    const { [at]: family = "" } = requested;
    if (families.includes(family) && family !== addressFamily(ip)) {
      const why = `expected an ${family} value as indicated by \`ipFamilies[${at}]\``;
      errors.push(cause.invalid(`${path}[${at}]`, ip, why));
    }
  }
}

/** Returns the family of an address: `IPv4` or `IPv6`. */
export function addressFamily(ip: string): "IPv4" | "IPv6" {
  return ip.includes(":") ? "IPv6" : "IPv4";
}
