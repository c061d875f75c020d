import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { cidrWarnings } from "../fields/address-warnings.js";
import { nodeColumns } from "./node/node-columns.js";
import { withNodeDefaults, withNotReadyTaint } from "./node/node-defaults.js";
import { validateNode } from "./node/validate-node.js";
import { validateNodeStatus } from "./node/validate-node-status.js";

/** Strategy of the kind Node. */
export const nodeStrategy: KindStrategy = {
  rules: { statusOnCreate: true },
  defaults: withNodeDefaults,
  prepareCreate: withNotReadyTaint,
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

function nodeWarnings(node: ApiObject): string[] {
  const { externalID, podCIDRs } = specOf(node);
  return [
    ...(isUnset(externalID)
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...stringsOf(podCIDRs).flatMap((range, at) => cidrWarnings(`spec.podCIDRs[${at}]`, range)),
  ];
}
