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
import {
  appendInvalid,
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateItems,
  validateLabelValue,
  validateOneOf,
  validateOptional,
  validatePort,
  validateQualifiedName,
  validateRequired,
  validateSubdomain,
  validateUnique,
  validateUniqueKeys,
} from "../../phases/validate/checks.js";

const protocols = ["SCTP", "TCP", "UDP"];
const maxAddresses = 100;

/** Appends the field errors of Endpoints. Unchanged subsets are not validated again. */
export function validateEndpoints(
  { subsets }: ApiObject,
  errors: FieldErrors,
  before?: ApiObject,
): void {
  if (before !== undefined && jsonEqual(subsets ?? [], before["subsets"] ?? [])) {
    return;
  }
  validateItems(objectsOf(subsets), validateSubset, "subsets", errors);
}

function validateSubset(subset: JsonObject, path: string, errors: FieldErrors): void {
  const ready = objectsOf(subset["addresses"]);
  const others = objectsOf(subset["notReadyAddresses"]);
  const ports = objectsOf(subset["ports"]);
  if (ready.length + others.length === 0) {
    errors.push(cause.required(path, "must specify `addresses` or `notReadyAddresses`"));
  }
  validateItems(ready, validateAddress, `${path}.addresses`, errors);
  validateItems(others, validateAddress, `${path}.notReadyAddresses`, errors);
  for (const [at, port] of ports.entries()) {
    if (isUnset(port["name"])) {
      if (ports.length > 1) {
        errors.push(cause.required(`${path}.ports[${at}].name`));
      }
    } else {
      validateDnsLabel(port["name"], `${path}.ports[${at}].name`, errors);
    }
    validatePort(port["port"], `${path}.ports[${at}].port`, errors);
    validateProtocol(port, `${path}.ports[${at}]`, errors);
  }
}

function validateAddress(
  { ip, hostname, nodeName }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const address = String(ip ?? "");
  appendInvalid(ipTexts(address), address, `${path}.ip`, errors);
  validateOptional(hostname, validateDnsLabel, `${path}.hostname`, errors);
  if (typeof nodeName === "string") {
    validateSubdomain(nodeName, `${path}.nodeName`, errors);
  }
  if (familyOf(address) === 0) {
    errors.push(cause.invalid(`${path}.ip`, address, "must be a valid IP address"));
  } else {
    validateSpecialAddress(address, `${path}.ip`, errors);
  }
}

function validateSpecialAddress(address: string, path: string, errors: FieldErrors): void {
  appendInvalid(specialAddressTexts(address), address, path, errors);
}

function validateProtocol(
  { protocol, appProtocol }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  validateGivenOneOf(protocol, protocols, `${path}.protocol`, errors);
  if (typeof appProtocol === "string") {
    validateQualifiedName(appProtocol, `${path}.appProtocol`, errors);
  }
}

/** Appends the field errors of an EndpointSlice. Unchanged endpoints are not validated again. */
export function validateEndpointSlice(
  { addressType, endpoints, ports }: ApiObject,
  errors: FieldErrors,
  before?: ApiObject,
): void {
  const given = objectsOf(ports);
  const isKept = before !== undefined && jsonEqual(endpoints ?? [], before["endpoints"] ?? []);
  validateRequired(addressType, "addressType", errors);
  validateOneOf(addressType, ["FQDN", "IPv4", "IPv6"], "addressType", errors);
  for (const [at, one] of (isKept ? [] : objectsOf(endpoints)).entries()) {
    validateEndpoint(one, addressType, `endpoints[${at}]`, errors);
  }
  validateUniqueKeys(given, "name", "ports", errors);
  for (const [at, port] of given.entries()) {
    validateOptional(port["name"], validateDnsLabel, `ports[${at}].name`, errors);
    validateProtocol(port, `ports[${at}]`, errors);
  }
}

function validateEndpoint(
  one: JsonObject,
  type: unknown,
  field: string,
  errors: FieldErrors,
): void {
  const addresses = stringsOf(one["addresses"]);
  const path = `${field}.addresses`;
  const { hostname, nodeName, hints } = one;
  const zones = objectsOf(mapOf(hints)["forZones"]).map(({ name }) => name);
  if (addresses.length === 0) {
    errors.push(cause.required(path));
  }
  if (addresses.length > maxAddresses) {
    errors.push(cause.tooMany(path, addresses.length, maxAddresses));
  }
  for (const [at, address] of addresses.entries()) {
    validateTypedAddress(address, type, path, errors, at);
  }
  if (typeof nodeName === "string") {
    validateSubdomain(nodeName, `${field}.nodeName`, errors);
  }
  if (typeof hostname === "string") {
    validateDnsLabel(hostname, `${field}.hostname`, errors);
  }
  for (const [at, name] of zones.entries()) {
    validateLabelValue(name, `${field}.hints.forZones[${at}].name`, errors);
  }
  validateUnique(zones, (at) => `${field}.hints.forZones[${at}].name`, errors);
}

const families: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 };

function validateTypedAddress(
  address: string,
  type: unknown,
  path: string,
  errors: FieldErrors,
  at: number,
): void {
  const field = `${path}[${at}]`;
  const family = families[String(type)];
  if (family === undefined) {
    if (type === "FQDN") {
      validateSubdomain(address, field, errors);
    }
    return;
  }
  const isOther = familyOf(address) !== family;
  const wrong = isOther ? ipTexts(address) : canonicalIpTexts(address);
  if (wrong.length > 0) {
    appendInvalid(wrong, address, field, errors);
    return;
  }
  if (isOther) {
    errors.push(cause.invalid(path, address, `must be an ${String(type)} address`));
  }
  validateSpecialAddress(address, field, errors);
}
