import type { KindStrategy } from "../../resources/kind-strategy.js";
import { ingressClassColumns } from "../table/service-columns.js";
import { validateIngressClass } from "../validation/others.js";

/** Strategy of the kind IngressClass. */
export const ingressClassStrategy: KindStrategy = {
  rules: { generation: true },
  validate: (object, errors) => void errors.push(...validateIngressClass(object)),
  immutable: [{ path: "spec.controller" }],
  columns: ingressClassColumns,
};
