import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, stringsOf } from "../../../objects/json-value.js";
import { objectsOf } from "../../../objects/parts.js";
import {
  canonicalIpTexts,
  familyOf,
  ipTexts,
  specialAddressTexts,
} from "../../../phases/validate/addresses.js";
import { appendInvalid, validateSubdomain } from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";

const families: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 };

/** Appends the field errors of an EndpointSlice. Unchanged endpoints are not validated again. */
export function validateEndpointSlice(
  slice: ApiObject,
  errors: FieldErrors,
  old?: ApiObject,
): void {
  const { addressType, endpoints } = slice;
  validateFields("discovery/v1.EndpointSlice", slice, "", errors);
  if (old === undefined || !jsonEqual(endpoints ?? [], old["endpoints"] ?? [])) {
    for (const [at, endpoint] of objectsOf(endpoints).entries()) {
      validateEndpoint(endpoint, addressType, `endpoints[${at}]`, errors);
    }
  }
}

function validateEndpoint(
  endpoint: JsonObject,
  type: unknown,
  path: string,
  errors: FieldErrors,
): void {
  const addresses = stringsOf(endpoint["addresses"]);
  for (const at of addresses.keys()) {
    validateTypedAddress(addresses, at, type, `${path}.addresses`, errors);
  }
  validateFields("discovery/v1.Endpoint", endpoint, path, errors);
}

/** Checks an address of a list. Errors about its family report the list. */
function validateTypedAddress(
  addresses: readonly string[],
  at: number,
  type: unknown,
  path: string,
  errors: FieldErrors,
): void {
  const { [at]: address = "" } = addresses;
  const family = families[String(type)];
  if (type === "FQDN") {
    validateSubdomain(address, `${path}[${at}]`, errors);
  }
  if (family === undefined) {
    return;
  }
  const isOther = familyOf(address) !== family;
  const texts = isOther ? ipTexts(address) : canonicalIpTexts(address);
  appendInvalid(texts, address, `${path}[${at}]`, errors);
  if (texts.length > 0) {
    return;
  }
  if (isOther) {
    errors.push(cause.invalid(path, address, `must be an ${String(type)} address`));
  }
  appendInvalid(specialAddressTexts(address), address, `${path}[${at}]`, errors);
}
