import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { validateDnsLabel } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { none } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { validateFields } from "../fields/validate-fields.js";

/** Strategy of the kind IngressClass. */
export const ingressClassStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateIngressClass,
  immutable: [{ path: "spec.controller" }],
  columns: columnsFor("ingressclasses.networking.k8s.io", {
    Controller: column("Controller of the class.", (one) => specOf(one)["controller"]),
    Parameters: column("Parameters of the controller.", (one) => {
      const { apiGroup, kind, name } = mapOf(specOf(one)["parameters"]);
      const type = apiGroup === undefined ? String(kind) : `${String(kind)}.${String(apiGroup)}`;
      return kind === undefined ? none : `${type}/${String(name)}`;
    }),
  }),
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
  validateFields("networking/v1.IngressClassParametersReference", parameters, path, errors);
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
