import { isMappedIpv4, isSameAddress } from "../../addresses/ip-address.js";
import { type IpPrefix, parseIpPrefix } from "../../addresses/ip-prefix.js";
import { goQuote } from "../../text/go-quote.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { CelOpaque } from "../../values/cel-opaque.js";
import { type CelType, opaqueType } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";

/** Type of `cidr("10.0.0.0/8")`. */
export const cidrType: CelType<CelCidr> = opaqueType("net.CIDR");

/** A network: an address and the length of its prefix. Two networks with other bits of the host are not equal. */
export class CelCidr extends CelOpaque {
  override readonly type: CelType<CelCidr> = cidrType;
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    super();
    this.prefix = prefix;
  }

  override equals(other: CelValue): boolean | CelFailure {
    return other instanceof CelCidr
      ? this.prefix.length === other.prefix.length &&
          isSameAddress(this.prefix.address, other.prefix.address)
      : noSuchOverload();
  }

  /** Size of the prefix in bytes. */
  override get costSize(): number {
    return Math.ceil(this.prefix.length / 8);
  }
}

/** Parses a network in CIDR notation. IPv4-mapped IPv6 addresses are refused. */
export function parseCidr(text: string): CelCidr | CelFailure {
  const context = "network address parse error during conversion from string: ";
  const prefix = parseIpPrefix(text);
  if (typeof prefix === "string") {
    // Kubernetes puts the context twice.
    return new CelFailure(context + context + prefix);
  }
  return isMappedIpv4(prefix.address)
    ? new CelFailure(`${context}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    : new CelCidr(prefix);
}
