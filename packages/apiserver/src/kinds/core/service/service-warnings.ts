import type { ApiObject } from "../../../objects/api-object.js";
import { stringsOf } from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";
import { addressWarnings, cidrWarnings } from "../../fields/address-warnings.js";

const oldHints = "service.kubernetes.io/topology-aware-hints";

/** Returns warnings about a Service. */
export function serviceWarnings(service: ApiObject): string[] {
  const spec = specOf(service);
  const { type, clusterIP, loadBalancerIP, externalName } = spec;
  const isHeadless = type === "ClusterIP" && clusterIP === "None";
  const isElsewhere = type === "ExternalName";
  const external = stringsOf(spec["externalIPs"]);
  return [
    ...(oldHints in mapOf(service.metadata.annotations)
      ? [
          `annotation ${oldHints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
        ]
      : []),
    ...stringsOf(spec["clusterIPs"]).flatMap((address, at) =>
      addressWarnings(`spec.clusterIPs[${at}]`, address),
    ),
    ...(isHeadless
      ? [
          ...(isUnset(loadBalancerIP) ? [] : ["spec.loadBalancerIP"]),
          ...(external.length === 0 ? [] : ["spec.externalIPs"]),
          ...(spec["sessionAffinity"] === "None" ? [] : ["spec.SessionAffinity"]),
        ].map((path) => `${path} is ignored for headless services`)
      : []),
    ...external.flatMap((address, at) => addressWarnings(`spec.externalIPs[${at}]`, address)),
    ...(external.length > 0 && !isHeadless && !isElsewhere
      ? ["spec.externalIPs is deprecated and may no longer be implemented in some clusters"]
      : []),
    ...(isUnset(loadBalancerIP)
      ? []
      : addressWarnings("spec.loadBalancerIP", String(loadBalancerIP))),
    ...stringsOf(spec["loadBalancerSourceRanges"]).flatMap((range, at) =>
      cidrWarnings(`spec.loadBalancerSourceRanges[${at}]`, range),
    ),
    ...(isElsewhere && external.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(!isElsewhere && !isUnset(externalName)
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(spec["trafficDistribution"] === "PreferClose"
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}
