import { isIP } from "node:net";

/** What is wrong with an address; nothing when it is one. */
export function ipTexts(text: string): string[] {
  return isIP(text) === 0 ? ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"] : [];
}

/** What is wrong with a range of addresses; nothing when it is one. */
export function cidrTexts(text: string): string[] {
  return cidrOf(text) === undefined
    ? ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]
    : [];
}

/** Whether an address leads back to where it is used. */
export function isLoopback(text: string): boolean {
  return text.startsWith("127.") || text === "::1";
}

/** Why an address is none that others could reach; nothing when it is one. */
export function specialAddressTexts(text: string): string[] {
  if (text === "0.0.0.0" || text === "::") {
    return [`may not be unspecified (${text})`];
  }
  if (isLoopback(text)) {
    return ["may not be in the loopback range (127.0.0.0/8, ::1/128)"];
  }
  if (text.startsWith("169.254.") || /^fe[89ab][0-9a-f]:/i.test(text)) {
    return ["may not be in the link-local range (169.254.0.0/16, fe80::/10)"];
  }
  return text.startsWith("224.0.0.") || /^ff02:/i.test(text)
    ? ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"]
    : [];
}

interface Cidr {
  readonly bits: number;
  readonly size: number;
  readonly value: bigint;
}

function cidrOf(text: string): Cidr | undefined {
  const [address = "", bits = "", ...more] = text.split("/");
  const family = isIP(address);
  const size = family === 4 ? 32 : 128;
  return family === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > size
    ? undefined
    : { bits: Number(bits), size, value: numberOf(address, family) };
}

function numberOf(address: string, family: number): bigint {
  if (family === 4) {
    return address.split(".").reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
  }
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const before = groups(head);
  const after = groups(tail ?? "");
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: missing }, () => "0"), ...after];
  return all.reduce((sum, part) => (sum << 16n) + BigInt(`0x${part || "0"}`), 0n);
}

/** Whether a range lies wholly inside another, and is smaller. */
export function isStrictlyInside(inner: string, outer: string): boolean {
  const [a, b] = [cidrOf(inner), cidrOf(outer)];
  if (a === undefined || b === undefined || a.size !== b.size || a.bits <= b.bits) {
    return false;
  }
  const shift = BigInt(b.size - b.bits);
  return a.value >> shift === b.value >> shift;
}
