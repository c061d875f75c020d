import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys } from "../../../objects/json-value.js";
import { objectsOf, specOf, withSpec } from "../../../objects/parts.js";
import { hasHealthCheck, isBalanced, isExposed } from "./service-types.js";

/** Keeps allocated values that an update omits. */
export function keepAllocated(service: ApiObject, old: ApiObject): ApiObject {
  const oldSpec = specOf(old);
  const trimmed = withoutMeaningless(service, oldSpec);
  const spec = specOf(trimmed);
  if (spec["type"] === "ExternalName" || oldSpec["type"] === "ExternalName") {
    return withoutNodePorts(trimmed, oldSpec);
  }
  const kept: JsonObject = {};
  if ((spec["clusterIP"] ?? "") === "") {
    kept["clusterIP"] = oldSpec["clusterIP"];
    kept["clusterIPs"] = spec["clusterIPs"] ?? oldSpec["clusterIPs"];
  } else if (spec["clusterIP"] === oldSpec["clusterIP"]) {
    kept["clusterIPs"] = spec["clusterIPs"] ?? oldSpec["clusterIPs"];
  } else if (jsonEqual(spec["clusterIPs"] ?? null, oldSpec["clusterIPs"] ?? null)) {
    // Only `clusterIP` was changed; `clusterIPs` follows.
    kept["clusterIPs"] = [spec["clusterIP"]];
  }
  for (const field of ["ipFamilies", "ipFamilyPolicy"]) {
    if (spec[field] === undefined) {
      kept[field] = oldSpec[field];
    }
  }
  if (spec["type"] !== "ClusterIP" && oldSpec["type"] !== "ClusterIP") {
    kept["ports"] = keepNodePorts(objectsOf(spec["ports"]), objectsOf(oldSpec["ports"]));
    const isMissing = hasHealthCheck(spec) && !spec["healthCheckNodePort"];
    if (isMissing && oldSpec["healthCheckNodePort"] !== undefined) {
      kept["healthCheckNodePort"] = oldSpec["healthCheckNodePort"];
    }
  }
  return withSpec(withoutNodePorts(trimmed, oldSpec), kept);
}

function keepNodePorts(ports: readonly JsonObject[], old: readonly JsonObject[]): JsonObject[] {
  const key = (port: JsonObject) => `${String(port["protocol"])}:${String(port["port"])}`;
  return ports.map((port) => {
    const known = old.find((one) => key(one) === key(port))?.["nodePort"];
    return (port["nodePort"] ?? 0) === 0 && known !== undefined
      ? { ...port, nodePort: known }
      : port;
  });
}

/** Fields that apply to some Services only, with the condition for each. */
const dependent: Readonly<Record<string, (spec: JsonObject) => boolean>> = {
  allocateLoadBalancerNodePorts: isBalanced,
  externalTrafficPolicy: isExposed,
  healthCheckNodePort: hasHealthCheck,
  internalTrafficPolicy: ({ type }) => type !== "ExternalName",
  loadBalancerClass: isBalanced,
};

/** Removes fields that no longer apply after a change of the Service, unless they were changed too. */
function withoutMeaningless(service: ApiObject, old: JsonObject): ApiObject {
  const spec = specOf(service);
  const left = Object.entries(dependent)
    .filter(([key, applies]) => spec[key] !== undefined && applies(old) && !applies(spec))
    .map(([key]) => key)
    .filter((key) => jsonEqual(spec[key], old[key] ?? null));
  return left.length === 0 ? service : { ...service, spec: omitKeys(spec, ...left) };
}

/** Removes node ports from a Service that is no longer exposed outside the cluster, unless they were changed too. */
function withoutNodePorts(service: ApiObject, old: JsonObject): ApiObject {
  const spec = specOf(service);
  if (isExposed(spec) || !isExposed(old)) {
    return service;
  }
  const known = objectsOf(old["ports"]).map(({ nodePort }) => nodePort);
  const ports = objectsOf(spec["ports"]).map(({ nodePort, ...port }) =>
    nodePort === undefined || known.includes(nodePort) ? port : { ...port, nodePort },
  );
  return withSpec(service, { ports });
}
