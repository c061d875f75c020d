import { canonicalAddress, canonicalCidr, ipTexts } from "../validation/addresses.js";

/** What is told of an address that servers would write otherwise. */
export function addressWarnings(field: string, given: string): string[] {
  const canonical = canonicalAddress(given);
  if (canonical === undefined || canonical === given) {
    return [];
  }
  return ipTexts(given).length > 0
    ? [`${field}: non-standard IP address "${given}" is invalid: use "${canonical}"`]
    : [`${field}: IPv6 address "${given}" ${shouldBe(canonical)}`];
}

/** The same of a range of addresses. */
export function cidrWarnings(field: string, given: string): string[] {
  const canonical = canonicalCidr(given);
  return canonical === undefined || canonical === given
    ? []
    : [`${field}: IPv6 CIDR value "${given}" ${shouldBe(canonical)}`];
}

function shouldBe(canonical: string): string {
  return `should be in RFC 5952 canonical format ("${canonical}")`;
}
