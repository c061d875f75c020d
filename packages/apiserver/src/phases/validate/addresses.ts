import { isIP } from "node:net";

/** A parsed IP address, whether or not its notation is valid. */
interface Address {
  readonly family: 4 | 6;
  /** Canonical notation of servers; an IPv4-mapped IPv6 address becomes the IPv4 address. */
  readonly canonical: string;
  readonly hasLeadingZeros: boolean;
  readonly isMapped: boolean;
  readonly value: bigint;
}

interface Cidr {
  readonly address: Address;
  readonly bits: number;
  readonly size: number;
  readonly hasLeadingZeros: boolean;
}

const dotted = /(?:\d+\.){3}\d+$/;
const mappedPrefix = 0xffffn << 32n;

function addressOf(text: string): Address | undefined {
  const plain = text.replace(dotted, (part) => part.replace(/\b0+(?=\d)/g, ""));
  const family = isIP(plain);
  // Zones are meaningful on one machine only.
  if ((family !== 4 && family !== 6) || plain.includes("%")) {
    return undefined;
  }
  const value = family === 4 ? numberOf(plain) : numberOf6(plain);
  const isMapped = family === 6 && value >> 32n === 0xffffn;
  return {
    family,
    canonical: isMapped
      ? dottedOf(value - mappedPrefix)
      : family === 4
        ? plain
        : new URL(`http://[${plain}]`).hostname.slice(1, -1),
    hasLeadingZeros: plain !== text,
    isMapped,
    value,
  };
}

function numberOf(dottedText: string): bigint {
  return dottedText.split(".").reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
}

function dottedOf(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
}

function numberOf6(text: string): bigint {
  const hexadecimal = text.replace(dotted, (part) => {
    const value = numberOf(part);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [head = "", tail] = hexadecimal.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const before = groups(head);
  const after = groups(tail ?? "");
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: missing }, () => "0"), ...after];
  return all.reduce((sum, part) => (sum << 16n) + BigInt(`0x${part}`), 0n);
}

function cidrOf(text: string): Cidr | undefined {
  const [written = "", bits = "", ...more] = text.split("/");
  const address = addressOf(written);
  const size = address?.family === 4 ? 32 : 128;
  return address === undefined || more.length > 0 || !/^\d+$/.test(bits) || Number(bits) > size
    ? undefined
    : {
        address,
        bits: Number(bits),
        size,
        hasLeadingZeros: address.hasLeadingZeros || /^0\d/.test(bits),
      };
}

/** Returns the problems of an IP address; empty for a valid one. */
export function ipTexts(text: string): string[] {
  const address = addressOf(text);
  if (address === undefined) {
    return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  }
  if (address.hasLeadingZeros) {
    return ["must not have leading 0s"];
  }
  return address.isMapped ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

/** Returns the problems of a CIDR; empty for a valid one. */
export function cidrTexts(text: string): string[] {
  const cidr = cidrOf(text);
  if (cidr === undefined) {
    return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  }
  if (cidr.hasLeadingZeros) {
    return ["must not have leading 0s in IP or prefix length"];
  }
  if (cidr.address.isMapped) {
    return ["must not have an IPv4-mapped IPv6 address"];
  }
  return maskOf(cidr) === cidr.address.value
    ? []
    : ["must not have bits set beyond the prefix length"];
}

function maskOf({ address, bits, size }: Cidr): bigint {
  const rest = BigInt(size - bits);
  return (address.value >> rest) << rest;
}

/** Returns the problems of an IP address that must be in canonical form. */
export function canonicalIpTexts(text: string): string[] {
  return inOneForm(text, ipTexts(text), canonicalAddress(text));
}

/** Returns the problems of a CIDR that must be in canonical form. */
export function canonicalCidrTexts(text: string): string[] {
  return inOneForm(text, cidrTexts(text), canonicalCidr(text));
}

function inOneForm(text: string, wrong: string[], canonical: string | undefined): string[] {
  return wrong.length > 0 || canonical === text
    ? wrong
    : [`must be in canonical form ("${canonical}")`];
}

/** Returns the family of an IP address or CIDR, 4 or 6; 0 for anything else. */
export function familyOf(text: string): 0 | 4 | 6 {
  return (addressOf(text) ?? cidrOf(text)?.address)?.family ?? 0;
}

/** Returns the canonical form of an IP address; `undefined` for anything else. */
export function canonicalAddress(text: string): string | undefined {
  return addressOf(text)?.canonical;
}

/** Returns the canonical form of a CIDR; `undefined` for anything else. */
export function canonicalCidr(text: string): string | undefined {
  const cidr = cidrOf(text);
  return cidr === undefined ? undefined : `${cidr.address.canonical}/${cidr.bits}`;
}

/**
 * Returns the reason why others can't reach an address: it is unspecified, loopback, link-local or link-local
 * multicast; empty otherwise.
 */
export function specialAddressTexts(text: string): string[] {
  const address = canonicalAddress(text) ?? text;
  if (address === "0.0.0.0" || address === "::") {
    return [`may not be unspecified (${text})`];
  }
  if (address.startsWith("127.") || address === "::1") {
    return ["may not be in the loopback range (127.0.0.0/8, ::1/128)"];
  }
  if (address.startsWith("169.254.") || /^fe[89ab][0-9a-f]:/.test(address)) {
    return ["may not be in the link-local range (169.254.0.0/16, fe80::/10)"];
  }
  return address.startsWith("224.0.0.") || address.startsWith("ff02:")
    ? ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"]
    : [];
}

/** Returns whether a CIDR is not a strict subset of another. Returns false for invalid CIDRs. */
export function isOutside(inner: string, outer: string): boolean {
  const [a, b] = [cidrOf(inner), cidrOf(outer)];
  if (a === undefined || b === undefined) {
    return false;
  }
  const shift = BigInt(b.size - b.bits);
  return (
    a.size !== b.size || a.bits <= b.bits || a.address.value >> shift !== b.address.value >> shift
  );
}
