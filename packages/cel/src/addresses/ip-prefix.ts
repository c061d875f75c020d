import { goQuote } from "../text/go-quote.js";
import { type IpAddress, ipAddressText, isSameAddress } from "./ip-address.js";
import { parseIpAddress } from "./parse-ip-address.js";

/** An address with the length of its network's prefix; bits of the host may be set. */
export interface IpPrefix {
  readonly address: IpAddress;
  /** Number of bits from 0 to 32 or 128. */
  readonly length: number;
}

/** Parses an address with prefix as Go's `netip.ParsePrefix` does. Returns Go's message if the text is not a prefix. */
export function parseIpPrefix(text: string): IpPrefix | string {
  const problem = (message: string) => `netip.ParsePrefix(${goQuote(text)}): ${message}`;
  const slash = text.lastIndexOf("/");
  if (slash < 0) {
    return problem("no '/'");
  }
  const address = parseIpAddress(text.slice(0, slash));
  if (typeof address === "string") {
    return problem(address);
  }
  if (address.zone !== "") {
    return problem("IPv6 zones cannot be present in a prefix");
  }
  const bits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d*)$/.test(bits) || !isInt64(bits)) {
    return problem(`bad bits after slash: ${goQuote(bits)}`);
  }
  return Number(bits) > address.bytes.length * 8
    ? problem("prefix length out of range")
    : { address, length: Number(bits) };
}

function isInt64(digits: string): boolean {
  return digits.length < 19 || (digits.length === 19 && digits <= "9223372036854775807");
}

/** Returns the text of a prefix with the canonical text of its address. */
export function ipPrefixText({ address, length }: IpPrefix): string {
  return `${ipAddressText(address)}/${length}`;
}

/** Returns the prefix without the bits of the host. */
export function maskedPrefix({ address, length }: IpPrefix): IpPrefix {
  return { address: masked(address, length), length };
}

/** Returns true if an address of the same family lies in the network. */
export function containsAddress({ address, length }: IpPrefix, other: IpAddress): boolean {
  return isSameAddress(masked(address, length), masked(other, length));
}

/** Returns true if the other network is the same one or a part of it. */
export function containsPrefix(prefix: IpPrefix, other: IpPrefix): boolean {
  return prefix.length <= other.length && containsAddress(prefix, other.address);
}

function masked({ bytes, zone }: IpAddress, length: number): IpAddress {
  return {
    bytes: bytes.map((byte, at) => {
      const bits = Math.min(Math.max(length - at * 8, 0), 8);
      return byte & (0xff << (8 - bits)) & 0xff;
    }),
    zone,
  };
}
