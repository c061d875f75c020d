import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { selectorText } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { cidrWarnings } from "../fields/address-warnings.js";
import { directions, validateNetworkPolicy } from "./network-policy/validate-network-policy.js";

/** Strategy of the kind NetworkPolicy. */
export const networkPolicyStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateNetworkPolicy,
  warnings: networkPolicyWarnings,
  idle: { why: "has no network and filters no traffic" },
  columns: columnsFor("networkpolicies.networking.k8s.io", {
    "Pod-Selector": column("Selector of the pods.", (one) =>
      selectorText(specOf(one)["podSelector"]),
    ),
  }),
};

function networkPolicyWarnings(policy: ApiObject): string[] {
  return directions.flatMap(([rules, peers]) =>
    objectsOf(specOf(policy)[rules]).flatMap((rule, at) =>
      objectsOf(rule[peers]).flatMap(({ ipBlock }, peerAt) => {
        const { cidr, except } = mapOf(ipBlock);
        const path = `spec.${rules}[${at}].${peers}[${peerAt}].ipBlock`;
        return [
          ...cidrWarnings(`${path}.cidr`, String(cidr)),
          ...stringsOf(except).flatMap((range, rangeAt) =>
            cidrWarnings(`${path}.except[${rangeAt}]`, range),
          ),
        ];
      }),
    ),
  );
}
