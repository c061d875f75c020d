import {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from "../../addresses/address-kinds.js";
import { type IpAddress, ipAddressText, isIpv4 } from "../../addresses/ip-address.js";
import type { CelLibrary } from "../../functions/library.js";
import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { readingCosts } from "../../functions/reading-costs.js";
import { CelFailure } from "../../values/cel-failure.js";
import { boolType, intType, stringType } from "../../values/cel-type.js";
import { type CelIp, ipType, parseIp } from "./cel-ip.js";

function isCanonical(text: string): boolean | CelFailure {
  const ip = parseIp(text);
  return ip instanceof CelFailure ? ip : ipAddressText(ip.address) === text;
}

/** Declares `ip.name()`, which is true for some addresses. */
function kind(
  name: string,
  id: string,
  test: (address: IpAddress) => boolean,
): FunctionDeclaration {
  const call = (ip: CelIp) => test(ip.address);
  return { name, overloads: [memberOverload(id, [ipType], boolType, call)] };
}

/** IP addresses, from Kubernetes 1.30 on: `ip`, `isIP`, `ip.isCanonical` and what an address is for. */
export const ipLibrary: CelLibrary = {
  name: "kubernetes.net.ip",
  types: [ipType],
  functions: [
    {
      name: "ip",
      overloads: [overload("string_to_ip", [stringType], ipType, parseIp, readingCosts())],
    },
    {
      name: "isIP",
      overloads: [
        overload(
          "is_ip",
          [stringType],
          boolType,
          (text) => !(parseIp(text) instanceof CelFailure),
          readingCosts(),
        ),
      ],
    },
    {
      name: "ip.isCanonical",
      overloads: [
        overload("ip_is_canonical", [stringType], boolType, isCanonical, readingCosts(2)),
      ],
    },
    {
      name: "string",
      overloads: [
        overload("ip_to_string", [ipType], stringType, (ip) => ipAddressText(ip.address)),
      ],
    },
    {
      name: "family",
      overloads: [
        memberOverload("ip_family", [ipType], intType, (ip) => (isIpv4(ip.address) ? 4 : 6)),
      ],
    },
    kind("isUnspecified", "ip_is_unspecified", isUnspecified),
    kind("isLoopback", "ip_is_loopback", isLoopback),
    kind("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
    kind("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
    kind("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
  ],
};
