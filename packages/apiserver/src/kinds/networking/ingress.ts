import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { firstFew, orNone } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { balancerText } from "../fields/balancer-text.js";
import { validateBalancerStatus } from "./balancer-status.js";
import { validateIngress } from "./ingress/validate-ingress.js";

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
  columns: columnsFor("ingresses.networking.k8s.io", {
    Class: column("Class of the Ingress.", (one) => orNone(specOf(one)["ingressClassName"])),
    Hosts: column("Host names of the rules.", hostsText),
    Address: column("Address of the load balancer.", ({ status }) => balancerText(status)),
    Ports: column("Ports of the Ingress.", (one) =>
      objectsOf(specOf(one)["tls"]).length > 0 ? "80, 443" : "80",
    ),
  }),
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

function hostsText(ingress: JsonObject): string {
  const hosts = objectsOf(specOf(ingress)["rules"]).map(({ host }) => String(host ?? ""));
  const named = hosts.filter((host) => host !== "");
  return named.length === 0 ? "*" : firstFew(named);
}
