import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  canonicalIpTexts,
  familyOf,
  ipTexts,
  specialAddressTexts,
} from "../../phases/validate/addresses.js";
import { isUnset } from "../../phases/validate/checks.js";
import {
  dnsLabel,
  duplicates,
  givenOneOf,
  labelValue,
  oneOf,
  portNumber,
  qualifiedName,
  required,
  subdomain,
} from "../../phases/validate/old-checks.js";

const protocols = ["SCTP", "TCP", "UDP"];
const maxAddresses = 100;

/** Returns the field errors of Endpoints. Unchanged subsets are not validated again. */
export function validateEndpoints({ subsets }: ApiObject, before?: ApiObject): FieldErrors {
  if (before !== undefined && jsonEqual(subsets ?? [], before["subsets"] ?? [])) {
    return [];
  }
  return objectsOf(subsets).flatMap((subset, at) => validateSubset(subset, `subsets[${at}]`));
}

function validateSubset(subset: JsonObject, field: string): FieldErrors {
  const ready = objectsOf(subset["addresses"]);
  const others = objectsOf(subset["notReadyAddresses"]);
  const ports = objectsOf(subset["ports"]);
  return [
    ...(ready.length + others.length === 0
      ? [cause.required(field, "must specify `addresses` or `notReadyAddresses`")]
      : []),
    ...ready.flatMap((one, at) => validateAddress(one, `${field}.addresses[${at}]`)),
    ...others.flatMap((one, at) => validateAddress(one, `${field}.notReadyAddresses[${at}]`)),
    ...ports.flatMap((port, at) => [
      ...(isUnset(port["name"])
        ? ports.length > 1
          ? [cause.required(`${field}.ports[${at}].name`)]
          : []
        : dnsLabel(`${field}.ports[${at}].name`, port["name"])),
      ...portNumber(`${field}.ports[${at}].port`, port["port"]),
      ...validateProtocol(port, `${field}.ports[${at}]`),
    ]),
  ];
}

function validateAddress({ ip, hostname, nodeName }: JsonObject, field: string): FieldErrors {
  const address = String(ip ?? "");
  return [
    ...ipTexts(address).map((why) => cause.invalid(`${field}.ip`, address, why)),
    ...(isUnset(hostname) ? [] : dnsLabel(`${field}.hostname`, hostname)),
    ...(typeof nodeName === "string" ? subdomain(`${field}.nodeName`, nodeName) : []),
    // Real servers validate the address twice.
    ...(familyOf(address) === 0
      ? [cause.invalid(`${field}.ip`, address, "must be a valid IP address")]
      : validateSpecialAddress(address, `${field}.ip`)),
  ];
}

function validateSpecialAddress(address: string, field: string): FieldErrors {
  return specialAddressTexts(address).map((why) => cause.invalid(field, address, why));
}

function validateProtocol({ protocol, appProtocol }: JsonObject, field: string): FieldErrors {
  return [
    ...givenOneOf(`${field}.protocol`, protocol, protocols),
    ...(typeof appProtocol === "string" ? qualifiedName(`${field}.appProtocol`, appProtocol) : []),
  ];
}

/** Returns the field errors of an EndpointSlice. Unchanged endpoints are not validated again. */
export function validateEndpointSlice(
  { addressType, endpoints, ports }: ApiObject,
  before?: ApiObject,
): FieldErrors {
  const given = objectsOf(ports);
  const isKept = before !== undefined && jsonEqual(endpoints ?? [], before["endpoints"] ?? []);
  return [
    ...required("addressType", addressType),
    ...oneOf("addressType", addressType, ["FQDN", "IPv4", "IPv6"]),
    ...(isKept ? [] : objectsOf(endpoints)).flatMap((one, at) =>
      validateEndpoint(one, addressType, `endpoints[${at}]`),
    ),
    ...duplicates(
      given.map(({ name }) => name),
      (at) => `ports[${at}].name`,
    ),
    ...given.flatMap((port, at) => [
      ...(isUnset(port["name"]) ? [] : dnsLabel(`ports[${at}].name`, port["name"])),
      ...validateProtocol(port, `ports[${at}]`),
    ]),
  ];
}

function validateEndpoint(one: JsonObject, type: unknown, field: string): FieldErrors {
  const addresses = stringsOf(one["addresses"]);
  const path = `${field}.addresses`;
  const { hostname, nodeName, hints } = one;
  const zones = objectsOf(mapOf(hints)["forZones"]).map(({ name }) => name);
  return [
    ...(addresses.length === 0 ? [cause.required(path)] : []),
    ...(addresses.length > maxAddresses
      ? [cause.tooMany(path, addresses.length, maxAddresses)]
      : []),
    ...addresses.flatMap((address, at) => validateTypedAddress(address, type, path, at)),
    ...(typeof nodeName === "string" ? subdomain(`${field}.nodeName`, nodeName) : []),
    ...(typeof hostname === "string" ? dnsLabel(`${field}.hostname`, hostname) : []),
    ...zones.flatMap((name, at) => labelValue(`${field}.hints.forZones[${at}].name`, String(name))),
    ...duplicates(zones, (at) => `${field}.hints.forZones[${at}].name`),
  ];
}

const families: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 };

function validateTypedAddress(
  address: string,
  type: unknown,
  path: string,
  at: number,
): FieldErrors {
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
    ...validateSpecialAddress(address, field),
  ];
}
