import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import { validateDnsLabel, validateGivenOneOf } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateNamedKind } from "../fields/named-kind.js";
import { ingressClassColumns } from "./service-columns.js";

/** Strategy of the kind IngressClass. */
export const ingressClassStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateIngressClass,
  immutable: [{ path: "spec.controller" }],
  columns: ingressClassColumns,
};

const maxControllerBytes = 250;

function validateIngressClass(object: ApiObject, errors: FieldErrors): void {
  const { controller, parameters } = specOf(object);
  const text = String(controller ?? "");
  if (text.length > maxControllerBytes) {
    errors.push(cause.tooLong("spec.controller", maxControllerBytes));
  }
  if (text === "") {
    errors.push(cause.required("spec.controller"));
  } else if (!/^[^/]+\/.+$/.test(text)) {
    const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(cause.invalid("spec.controller", controller, why));
  }
  if (isJsonObject(parameters)) {
    validateParameters(parameters, "spec.parameters", errors);
  }
}

function validateParameters(parameters: JsonObject, path: string, errors: FieldErrors): void {
  const { scope, namespace } = parameters;
  const hasNamespace = namespace !== undefined && namespace !== null;
  validateNamedKind(parameters, path, errors);
  validateGivenOneOf(scope, ["Cluster", "Namespace"], `${path}.scope`, errors);
  if (scope === "Namespace" && hasNamespace) {
    validateDnsLabel(namespace, `${path}.namespace`, errors);
  } else if (scope === "Namespace") {
    const why = "`parameters.scope` is set to 'Namespace'";
    errors.push(cause.required(`${path}.namespace`, why));
  } else if (scope === "Cluster" && hasNamespace) {
    const why = "`parameters.scope` is set to 'Cluster'";
    errors.push(cause.forbidden(`${path}.namespace`, why));
  }
}
