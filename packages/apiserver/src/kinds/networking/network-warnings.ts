import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { addressWarnings, cidrWarnings } from "../fields/address-warnings.js";

const classAnnotation = "kubernetes.io/ingress.class";

/** Returns warnings about a new Ingress. */
export function ingressWarnings({ metadata }: ApiObject): string[] {
  return classAnnotation in mapOf(metadata.annotations)
    ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];
}

/** Returns warnings about a NetworkPolicy. */
export function networkPolicyWarnings(policy: ApiObject): string[] {
  const spec = specOf(policy);
  return [
    ["ingress", "from"],
    ["egress", "to"],
  ].flatMap(([rules = "", peers = ""]) =>
    objectsOf(spec[rules]).flatMap((rule, at) =>
      objectsOf(rule[peers]).flatMap(({ ipBlock }, peerAt) => {
        const { cidr, except } = mapOf(ipBlock);
        const field = `spec.${rules}[${at}].${peers}[${peerAt}].ipBlock`;
        return [
          ...cidrWarnings(`${field}.cidr`, String(cidr)),
          ...stringsOf(except).flatMap((range, rangeAt) =>
            cidrWarnings(`${field}.except[${rangeAt}]`, range),
          ),
        ];
      }),
    ),
  );
}

/** Returns warnings about Endpoints. */
export function endpointsWarnings({ subsets }: ApiObject): string[] {
  return objectsOf(subsets).flatMap((subset, at) =>
    ["addresses", "notReadyAddresses"].flatMap((list) =>
      objectsOf(subset[list]).flatMap(({ ip }, ipAt) =>
        addressWarnings(`subsets[${at}].${list}[${ipAt}].ip`, String(ip)),
      ),
    ),
  );
}
