import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { cidrWarnings } from "../fields/address-warnings.js";
import { directions, validateNetworkPolicy } from "./network-policy/validate-network-policy.js";
import { networkPolicyColumns } from "./service-columns.js";

/** Strategy of the kind NetworkPolicy. */
export const networkPolicyStrategy: KindStrategy = {
  rules: { generation: true },
  validate: validateNetworkPolicy,
  warnings: networkPolicyWarnings,
  columns: networkPolicyColumns,
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
