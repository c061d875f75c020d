import { mapOf, objectsOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { type JsonObject, jsonEqual, stringsOf } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { canonicalIpTexts, familyOf, ipTexts, specialAddressTexts } from "./addresses.js";
import {
  type Causes,
  dnsLabel,
  duplicates,
  givenOneOf,
  isUnset,
  labelValue,
  oneOf,
  portNumber,
  qualifiedName,
  required,
  subdomain,
} from "./checks.js";

const protocols = ["SCTP", "TCP", "UDP"];
const maxAddresses = 100;

/** What is wrong with Endpoints. Those that stay as they were are not looked at again. */
export function endpointsCauses({ subsets }: ApiObject, before?: ApiObject): Causes {
  if (before !== undefined && jsonEqual(subsets ?? [], before["subsets"] ?? [])) {
    return [];
  }
  return objectsOf(subsets).flatMap((subset, at) => subsetCauses(subset, `subsets[${at}]`));
}

function subsetCauses(subset: JsonObject, field: string): Causes {
  const ready = objectsOf(subset["addresses"]);
  const others = objectsOf(subset["notReadyAddresses"]);
  const ports = objectsOf(subset["ports"]);
  return [
    ...(ready.length + others.length === 0
      ? [cause.required(field, "must specify `addresses` or `notReadyAddresses`")]
      : []),
    ...ready.flatMap((one, at) => addressCauses(one, `${field}.addresses[${at}]`)),
    ...others.flatMap((one, at) => addressCauses(one, `${field}.notReadyAddresses[${at}]`)),
    ...ports.flatMap((port, at) => [
      ...(isUnset(port["name"])
        ? ports.length > 1
          ? [cause.required(`${field}.ports[${at}].name`)]
          : []
        : dnsLabel(`${field}.ports[${at}].name`, port["name"])),
      ...portNumber(`${field}.ports[${at}].port`, port["port"]),
      ...protocolCauses(port, `${field}.ports[${at}]`),
    ]),
  ];
}

function addressCauses({ ip, hostname, nodeName }: JsonObject, field: string): Causes {
  const address = String(ip ?? "");
  return [
    ...ipTexts(address).map((why) => cause.invalid(`${field}.ip`, address, why)),
    ...(isUnset(hostname) ? [] : dnsLabel(`${field}.hostname`, hostname)),
    ...(typeof nodeName === "string" ? subdomain(`${field}.nodeName`, nodeName) : []),
    // Whether it is an address at all is looked at twice.
    ...(familyOf(address) === 0
      ? [cause.invalid(`${field}.ip`, address, "must be a valid IP address")]
      : specialCauses(address, `${field}.ip`)),
  ];
}

function specialCauses(address: string, field: string): Causes {
  return specialAddressTexts(address).map((why) => cause.invalid(field, address, why));
}

function protocolCauses({ protocol, appProtocol }: JsonObject, field: string): Causes {
  return [
    ...givenOneOf(`${field}.protocol`, protocol, protocols),
    ...(typeof appProtocol === "string" ? qualifiedName(`${field}.appProtocol`, appProtocol) : []),
  ];
}

/** What is wrong with an EndpointSlice. Endpoints that stay as they were are not looked at again. */
export function endpointSliceCauses(
  { addressType, endpoints, ports }: ApiObject,
  before?: ApiObject,
): Causes {
  const given = objectsOf(ports);
  const isKept = before !== undefined && jsonEqual(endpoints ?? [], before["endpoints"] ?? []);
  return [
    ...required("addressType", addressType),
    ...oneOf("addressType", addressType, ["FQDN", "IPv4", "IPv6"]),
    ...(isKept ? [] : objectsOf(endpoints)).flatMap((one, at) =>
      endpointCauses(one, addressType, `endpoints[${at}]`),
    ),
    ...duplicates(
      given.map(({ name }) => name),
      (at) => `ports[${at}].name`,
    ),
    ...given.flatMap((port, at) => [
      ...(isUnset(port["name"]) ? [] : dnsLabel(`ports[${at}].name`, port["name"])),
      ...protocolCauses(port, `ports[${at}]`),
    ]),
  ];
}

function endpointCauses(one: JsonObject, type: unknown, field: string): Causes {
  const addresses = stringsOf(one["addresses"]);
  const path = `${field}.addresses`;
  const { hostname, nodeName, hints } = one;
  const zones = objectsOf(mapOf(hints)["forZones"]).map(({ name }) => name);
  return [
    ...(addresses.length === 0 ? [cause.required(path)] : []),
    ...(addresses.length > maxAddresses
      ? [cause.tooMany(path, addresses.length, maxAddresses)]
      : []),
    ...addresses.flatMap((address, at) => typedAddressCauses(address, type, path, at)),
    ...(typeof nodeName === "string" ? subdomain(`${field}.nodeName`, nodeName) : []),
    ...(typeof hostname === "string" ? dnsLabel(`${field}.hostname`, hostname) : []),
    ...zones.flatMap((name, at) => labelValue(`${field}.hints.forZones[${at}].name`, String(name))),
    ...duplicates(zones, (at) => `${field}.hints.forZones[${at}].name`),
  ];
}

const families: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 };

function typedAddressCauses(address: string, type: unknown, path: string, at: number): Causes {
  const field = `${path}[${at}]`;
  const family = families[String(type)];
  if (family === undefined) {
    return type === "FQDN" ? subdomain(field, address) : [];
  }
  const isOther = familyOf(address) !== family;
  const wrong = isOther ? ipTexts(address) : canonicalIpTexts(address);
  if (wrong.length > 0) {
    return wrong.map((why) => cause.invalid(field, address, why));
  }
  return [
    ...(isOther ? [cause.invalid(path, address, `must be an ${String(type)} address`)] : []),
    ...specialCauses(address, field),
  ];
}
