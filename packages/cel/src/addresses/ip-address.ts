/** An IP address. Equal addresses have equal bytes; `::ffff:1.2.3.4` is an IPv6 address. */
export interface IpAddress {
  /** 4 bytes of IPv4, 16 of IPv6. */
  readonly bytes: readonly number[];
  /** Text behind `%` of an IPv6 address, otherwise empty. */
  readonly zone: string;
}

/** Returns true if two addresses have the same family and the same bytes. */
export function isSameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, at) => byte === b.bytes[at]);
}

/** Returns true for an IPv4 address. */
export function isIpv4({ bytes }: IpAddress): boolean {
  return bytes.length === 4;
}

/** Returns true for an IPv6 address that stands for an IPv4 address: `::ffff:1.2.3.4`. */
export function isMappedIpv4({ bytes }: IpAddress): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 12).every((byte, at) => byte === (at < 10 ? 0 : 0xff))
  );
}

/** Returns the canonical text of an address: small letters, the longest run of zeros as `::`. */
export function ipAddressText(address: IpAddress): string {
  return isIpv4(address) ? address.bytes.join(".") : hexadecimalText(address);
}

function hexadecimalText({ bytes, zone }: IpAddress): string {
  const groups = Array.from(
    { length: 8 },
    (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0),
  );
  const [start, end] = longestZeros(groups);
  const words = groups.map((group) => group.toString(16));
  const text =
    end === start
      ? words.join(":")
      : `${words.slice(0, start).join(":")}::${words.slice(end).join(":")}`;
  return zone === "" ? text : `${text}%${zone}`;
}

/** Returns the first one of the longest runs of at least two zeros; start and end are equal without one. */
function longestZeros(groups: readonly number[]): readonly [start: number, end: number] {
  let longest: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === 0) {
      end += 1;
    }
    if (end - start >= 2 && end - start > longest[1] - longest[0]) {
      longest = [start, end];
    }
  }
  return longest;
}
