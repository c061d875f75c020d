import { canonicalAddress, canonicalCidr, ipTexts } from "../../phases/validate/addresses.js";

/** Returns warnings about an IP address in non-canonical form. */
export function addressWarnings(path: string, given: string): string[] {
  const canonical = canonicalAddress(given);
  if (canonical === undefined || canonical === given) {
    return [];
  }
  return ipTexts(given).length > 0
    ? [`${path}: non-standard IP address "${given}" is invalid: use "${canonical}"`]
    : [`${path}: IPv6 address "${given}" ${shouldBe(canonical)}`];
}

/** Returns warnings about a CIDR in non-canonical form. */
export function cidrWarnings(path: string, given: string): string[] {
  const canonical = canonicalCidr(given);
  return canonical === undefined || canonical === given
    ? []
    : [`${path}: IPv6 CIDR value "${given}" ${shouldBe(canonical)}`];
}

function shouldBe(canonical: string): string {
  return `should be in RFC 5952 canonical format ("${canonical}")`;
}
