import {
  containsAddress,
  containsPrefix,
  ipPrefixText,
  maskedPrefix,
} from "../../addresses/ip-prefix.js";
import type { CelLibrary } from "../../functions/library.js";
import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { readingCosts } from "../../functions/reading-costs.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { boolType, intType, stringType } from "../../values/cel-type.js";
import { CelIp, ipType, parseIp } from "../ip/cel-ip.js";
import { CelCidr, cidrType, parseCidr } from "./cel-cidr.js";
import { containCosts } from "./contain-costs.js";

// If the type of an argument is known at run time only, the costs of the first signature count: those without parsing.

const containsIp: FunctionDeclaration = {
  name: "containsIP",
  overloads: [
    memberOverload(
      "cidr_contains_ip_ip",
      [cidrType, ipType],
      boolType,
      (cidr, ip) => containsAddress(cidr.prefix, ip.address),
      containCosts("address", false),
    ),
    memberOverload(
      "cidr_contains_ip_string",
      [cidrType, stringType],
      boolType,
      (cidr, text) => {
        const ip = parseIp(text);
        // Kubernetes drops the message of the address here, but not that of a network.
        return ip instanceof CelFailure
          ? noSuchOverload()
          : containsAddress(cidr.prefix, ip.address);
      },
      containCosts("address", true),
    ),
  ],
};

const containsCidr: FunctionDeclaration = {
  name: "containsCIDR",
  overloads: [
    memberOverload(
      "cidr_contains_cidr",
      [cidrType, cidrType],
      boolType,
      (cidr, other) => containsPrefix(cidr.prefix, other.prefix),
      containCosts("network", false),
    ),
    memberOverload(
      "cidr_contains_cidr_string",
      [cidrType, stringType],
      boolType,
      (cidr, text) => {
        const other = parseCidr(text);
        return other instanceof CelFailure ? other : containsPrefix(cidr.prefix, other.prefix);
      },
      containCosts("network", true),
    ),
  ],
};

/** Networks in CIDR notation, from Kubernetes 1.30 on: `cidr`, `isCIDR` and the members of a network. */
export const cidrLibrary: CelLibrary = {
  name: "kubernetes.net.cidr",
  types: [cidrType],
  functions: [
    {
      name: "cidr",
      overloads: [overload("string_to_cidr", [stringType], cidrType, parseCidr, readingCosts())],
    },
    {
      name: "isCIDR",
      overloads: [
        overload(
          "is_cidr",
          [stringType],
          boolType,
          (text) => !(parseCidr(text) instanceof CelFailure),
          readingCosts(),
        ),
      ],
    },
    {
      name: "string",
      overloads: [
        overload("cidr_to_string", [cidrType], stringType, (cidr) => ipPrefixText(cidr.prefix)),
      ],
    },
    containsIp,
    containsCidr,
    {
      name: "ip",
      overloads: [
        memberOverload("cidr_ip", [cidrType], ipType, (cidr) => new CelIp(cidr.prefix.address)),
      ],
    },
    {
      name: "prefixLength",
      overloads: [
        memberOverload("cidr_prefix_length", [cidrType], intType, (cidr) => cidr.prefix.length),
      ],
    },
    {
      name: "masked",
      overloads: [
        memberOverload(
          "cidr_masked",
          [cidrType],
          cidrType,
          (cidr) => new CelCidr(maskedPrefix(cidr.prefix)),
        ),
      ],
    },
  ],
};
