import { type IpAddress, isIpv4 } from "./ip-address.js";

/** Returns true for 0.0.0.0 and `::`. */
export function isUnspecified({ bytes }: IpAddress): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Returns true for 127.0.0.0/8 and `::1`. */
export function isLoopback({ bytes }: IpAddress): boolean {
  return bytes.length === 4
    ? bytes[0] === 127
    : bytes.every((byte, at) => byte === (at === 15 ? 1 : 0));
}

/** Returns true for 224.0.0.0/24 and for ff02::/16 whatever the flags are. */
export function isLinkLocalMulticast({ bytes }: IpAddress): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  return bytes.length === 4
    ? first === 224 && second === 0 && third === 0
    : first === 0xff && (second & 0x0f) === 2;
}

/** Returns true for 169.254.0.0/16 and fe80::/10. */
export function isLinkLocalUnicast({ bytes }: IpAddress): boolean {
  const [first = 0, second = 0] = bytes;
  return bytes.length === 4
    ? first === 169 && second === 254
    : first === 0xfe && (second & 0xc0) === 0x80;
}

/** Returns true for addresses of one host that others can reach, private ones included. */
export function isGlobalUnicast(address: IpAddress): boolean {
  const isBroadcast = isIpv4(address) && address.bytes.every((byte) => byte === 255);
  return !(
    isBroadcast ||
    isUnspecified(address) ||
    isLoopback(address) ||
    isMulticast(address) ||
    isLinkLocalUnicast(address)
  );
}

function isMulticast({ bytes }: IpAddress): boolean {
  const first = bytes[0] ?? 0;
  return bytes.length === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
}
