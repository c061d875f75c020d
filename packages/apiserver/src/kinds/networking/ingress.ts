import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateBalancerStatus } from "./balancer-status.js";
import { validateIngress } from "./ingress/validate-ingress.js";
import { ingressColumns } from "./service-columns.js";

const classAnnotation = "kubernetes.io/ingress.class";

/** Strategy of the kind Ingress. */
export const ingressStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateIngress,
  laterRules: [/^spec\.tls\[\d+\]\.secretName$/],
  validateCreate: validateClass,
  validateStatus: validateBalancerStatus,
  warnings: ({ metadata }, old) =>
    old === undefined && classAnnotation in mapOf(metadata.annotations)
      ? [
          `annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : [],
  columns: ingressColumns,
};

/** Checks that a new Ingress does not name two classes by its field and annotation. */
function validateClass(ingress: ApiObject, errors: FieldErrors): void {
  const { ingressClassName } = specOf(ingress);
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  if (!isUnset(ingressClassName) && annotated !== undefined && annotated !== ingressClassName) {
    const why = "must match `ingressClassName` when both are specified";
    errors.push(cause.invalid(`annotations.${classAnnotation}`, annotated, why));
  }
}
