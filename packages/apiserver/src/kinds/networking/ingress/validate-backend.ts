import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf } from "../../../objects/parts.js";
import { isUnset, validatePort, validatePortOrName } from "../../../phases/validate/checks.js";
import { validateNamedKind } from "../../fields/named-kind.js";
import { validateFields } from "../../fields/validate-fields.js";

/** Appends the field errors of a backend of an Ingress. */
export function validateBackend(
  { service, resource }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const hasResource = isJsonObject(resource);
  if (!isJsonObject(service)) {
    if (hasResource) {
      validateNamedKind(resource, `${path}.resource`, errors);
    } else {
      errors.push(cause.invalid(path, "", "resource or service backend is required"));
    }
  } else if (hasResource) {
    errors.push(cause.invalid(path, "", "cannot set both resource and service backends"));
  } else {
    validateFields("networking/v1.IngressServiceBackend", service, `${path}.service`, errors);
    validateServicePort(mapOf(service["port"]), path, errors);
  }
}

function validateServicePort(
  { name, number }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const hasName = !isUnset(name);
  const hasNumber = (number ?? 0) !== 0;
  if (hasName && hasNumber) {
    errors.push(cause.invalid(path, "", "cannot set both port name & port number"));
  } else if (hasName) {
    validatePortOrName(name, `${path}.service.port.name`, errors);
  } else if (hasNumber) {
    validatePort(number, `${path}.service.port.number`, errors);
  } else {
    errors.push(cause.required(path, "port name or number is required"));
  }
}
