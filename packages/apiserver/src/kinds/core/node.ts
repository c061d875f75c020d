import type { KindStrategy } from "../../resources/kind-strategy.js";
import { validateNodeStatus } from "../fields/statuses.js";
import { nodeWarnings } from "./more-warnings.js";
import { nodeColumns } from "./node/node-columns.js";
import { validateNode } from "./node/validate-node.js";
import { withAddressRanges, withTaint } from "./storage-hooks.js";

/** Strategy of the kind Node. */
export const nodeStrategy: KindStrategy = {
  rules: { statusOnCreate: true },
  defaults: withAddressRanges,
  prepareCreate: withTaint,
  validate: validateNode,
  immutable: [
    {
      path: "spec.podCIDRs",
      forbidden: true,
      onceSet: true,
      why: 'node updates may not change podCIDR except from "" to valid',
    },
    {
      path: "spec.providerID",
      shows: "null",
      onceSet: true,
      why: "field cannot be modified once set",
    },
  ],
  validateStatus: (object, _old, errors) => validateNodeStatus(object, errors),
  warnings: nodeWarnings,
  fieldSelectors: {
    paths: ["spec.unschedulable"],
    namespaced: false,
    zeros: { "spec.unschedulable": "false" },
  },
  columns: nodeColumns,
};
