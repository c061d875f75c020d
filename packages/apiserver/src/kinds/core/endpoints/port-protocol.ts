import type { FieldErrors } from "../../../errors/field-errors.js";
import type { JsonObject } from "../../../objects/json-value.js";
import { validateGivenOneOf, validateQualifiedName } from "../../../phases/validate/checks.js";

const protocols = ["SCTP", "TCP", "UDP"];

/** Appends the field errors of the protocols of an endpoint port. */
export function validatePortProtocol(
  { protocol, appProtocol }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  validateGivenOneOf(protocol, protocols, `${path}.protocol`, errors);
  if (typeof appProtocol === "string") {
    validateQualifiedName(appProtocol, `${path}.appProtocol`, errors);
  }
}
