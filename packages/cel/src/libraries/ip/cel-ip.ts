import { type IpAddress, isMappedIpv4, isSameAddress } from "../../addresses/ip-address.js";
import { parseIpAddress } from "../../addresses/parse-ip-address.js";
import { goQuote } from "../../text/go-quote.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { CelOpaque } from "../../values/cel-opaque.js";
import { type CelType, opaqueType } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";

/** Type of `ip("10.0.0.1")`. */
export const ipType: CelType<CelIp> = opaqueType("net.IP");

/** An IP address without a zone. */
export class CelIp extends CelOpaque {
  override readonly type: CelType<CelIp> = ipType;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override equals(other: CelValue): boolean | CelFailure {
    return other instanceof CelIp ? isSameAddress(this.address, other.address) : noSuchOverload();
  }

  /** Size in bytes. */
  override get costSize(): number {
    return this.address.bytes.length;
  }
}

/** Parses an address. Zones and IPv4-mapped IPv6 addresses are refused, so that one address has one canonical text. */
export function parseIp(text: string): CelIp | CelFailure {
  const address = parseIpAddress(text);
  if (typeof address === "string") {
    return new CelFailure(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${address}`,
    );
  }
  if (address.zone !== "") {
    return new CelFailure(`IP address ${goQuote(text)} with zone value is not allowed`);
  }
  return isMappedIpv4(address)
    ? new CelFailure(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    : new CelIp(address);
}
