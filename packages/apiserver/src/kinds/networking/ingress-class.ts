import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateIngressClass } from "../fields/others.js";
import { ingressClassColumns } from "./service-columns.js";

/** Strategy of the kind IngressClass. */
export const ingressClassStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateIngressClass,
  immutable: [{ path: "spec.controller" }],
  columns: ingressClassColumns,
};
