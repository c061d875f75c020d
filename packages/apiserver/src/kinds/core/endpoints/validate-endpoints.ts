import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { objectsOf } from "../../../objects/parts.js";
import { familyOf, specialAddressTexts } from "../../../phases/validate/addresses.js";
import {
  appendInvalid,
  validateDnsLabel,
  validateItems,
  validateOptional,
  validateRequiredWith,
} from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";

/** Appends the field errors of Endpoints. Unchanged subsets are not validated again. */
export function validateEndpoints(
  { subsets }: ApiObject,
  errors: FieldErrors,
  old?: ApiObject,
): void {
  if (old === undefined || !jsonEqual(subsets ?? [], old["subsets"] ?? [])) {
    validateItems(objectsOf(subsets), validateSubset, "subsets", errors);
  }
}

function validateSubset(subset: JsonObject, path: string, errors: FieldErrors): void {
  const ready = objectsOf(subset["addresses"]);
  const notReady = objectsOf(subset["notReadyAddresses"]);
  const ports = objectsOf(subset["ports"]);
  if (ready.length + notReady.length === 0) {
    errors.push(cause.required(path, "must specify `addresses` or `notReadyAddresses`"));
  }
  validateItems(ready, validateAddress, `${path}.addresses`, errors);
  validateItems(notReady, validateAddress, `${path}.notReadyAddresses`, errors);
  const validateName = ports.length > 1 ? validateRequiredWith : validateOptional;
  for (const [at, port] of ports.entries()) {
    validateName(port["name"], validateDnsLabel, `${path}.ports[${at}].name`, errors);
    validateFields("core/v1.EndpointPort", port, `${path}.ports[${at}]`, errors);
  }
}

function validateAddress(endpoint: JsonObject, path: string, errors: FieldErrors): void {
  const address = String(endpoint["ip"] ?? "");
  validateFields("core/v1.EndpointAddress", endpoint, path, errors);
  const texts =
    familyOf(address) === 0 ? ["must be a valid IP address"] : specialAddressTexts(address);
  appendInvalid(texts, address, `${path}.ip`, errors);
}
