import type { KindStrategy } from "../../resources/kind-strategy.js";
import { withAddressRanges, withTaint } from "../storage-hooks.js";
import { nodeColumns } from "../table/node-columns.js";
import { validateNode } from "../validation/nodes.js";
import { validateNodeStatus } from "../validation/statuses.js";
import { nodeWarnings } from "../warnings/more-warnings.js";

/** Strategy of the kind Node. */
export const nodeStrategy: KindStrategy = {
  rules: { statusOnCreate: true },
  defaults: withAddressRanges,
  prepareCreate: withTaint,
  validate: (object, errors) => void errors.push(...validateNode(object)),
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
  validateStatus: (object, _old, errors) => void errors.push(...validateNodeStatus(object)),
  warnings: nodeWarnings,
  fieldSelectors: {
    paths: ["spec.unschedulable"],
    namespaced: false,
    zeros: { "spec.unschedulable": "false" },
  },
  columns: nodeColumns,
};
