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
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateLabelValue,
  validateOneOf,
  validatePort,
  validateQualifiedName,
  validateRequired,
  validateSubdomain,
  validateUnique,
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
  for (const [at, subset] of objectsOf(subsets).entries()) {
    validateSubset(subset, `subsets[${at}]`, errors);
  }
}

function validateSubset(subset: JsonObject, path: string, errors: FieldErrors): void {
  const ready = objectsOf(subset["addresses"]);
  const others = objectsOf(subset["notReadyAddresses"]);
  const ports = objectsOf(subset["ports"]);
  if (ready.length + others.length === 0) {
    errors.push(cause.required(path, "must specify `addresses` or `notReadyAddresses`"));
  }
  for (const [at, one] of ready.entries()) {
    validateAddress(one, `${path}.addresses[${at}]`, errors);
  }
  for (const [at, one] of others.entries()) {
    validateAddress(one, `${path}.notReadyAddresses[${at}]`, errors);
  }
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
  for (const why of ipTexts(address)) {
    errors.push(cause.invalid(`${path}.ip`, address, why));
  }
  if (!isUnset(hostname)) {
    validateDnsLabel(hostname, `${path}.hostname`, errors);
  }
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
  for (const why of specialAddressTexts(address)) {
    errors.push(cause.invalid(path, address, why));
  }
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
  validateUnique(
    given.map(({ name }) => name),
    (at) => `ports[${at}].name`,
    errors,
  );
  for (const [at, port] of given.entries()) {
    if (!isUnset(port["name"])) {
      validateDnsLabel(port["name"], `ports[${at}].name`, errors);
    }
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
    validateLabelValue(String(name), `${field}.hints.forZones[${at}].name`, errors);
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
    for (const why of wrong) {
      errors.push(cause.invalid(field, address, why));
    }
    return;
  }
  if (isOther) {
    errors.push(cause.invalid(path, address, `must be an ${String(type)} address`));
  }
  validateSpecialAddress(address, field, errors);
}
