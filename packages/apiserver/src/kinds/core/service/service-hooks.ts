import { collectErrors, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys, stringsOf } from "../../../objects/json-value.js";
import { objectsOf, specOf, withSpec } from "../../../objects/parts.js";
import type { StrategyServer, StrategyWrite } from "../../../resources/kind-strategy.js";
import { withFamilies } from "./service-families.js";
import { freeAddress, freeNodePort, ServiceUse, validateAllocation } from "./service-use.js";

/** Allocates the addresses and ports of a new Service. */
export function asNewService(service: ApiObject, { server }: StrategyWrite): ApiObject {
  return { ...allocate(service, server), status: { loadBalancer: {} } };
}

/** Keeps the addresses and ports of a Service and allocates missing ones. */
export function withKeptAddresses(
  service: ApiObject,
  old: ApiObject,
  { server }: StrategyWrite,
): ApiObject {
  return allocate(keepAllocated(service, old), server, old);
}

/** Checks that requested addresses and ports are free. */
export function validateGrant(
  service: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  server: StrategyServer,
): void {
  errors.push(
    ...collectErrors((found) =>
      validateAllocation(service, old, server.store.collection("services"), found),
    ),
  );
}

function allocate(service: ApiObject, server: StrategyServer, before?: ApiObject): ApiObject {
  const { type } = specOf(service);
  if (type === "ExternalName") {
    return before === undefined ? service : withoutAllocated(service);
  }
  const spec = withFamilies(withAddressList(service, before), before);
  const use = new ServiceUse(server.store.collection("services"));
  return withSpec(service, {
    ...addresses(spec, use, server),
    ...(type === "ClusterIP" ? {} : nodePorts(spec, use, server)),
  });
}

function addresses(spec: JsonObject, use: ServiceUse, server: StrategyServer): JsonObject {
  const { clusterIP: given, clusterIPs, ipFamilies, ipFamilyPolicy } = spec;
  const clusterIP = typeof given === "string" && given !== "" ? given : freeAddress(use, server);
  return { clusterIP, clusterIPs: clusterIPs ?? [clusterIP], ipFamilies, ipFamilyPolicy };
}

/** Copies `clusterIP` of a new Service to `clusterIPs` if only the former is set. */
function withAddressList(service: ApiObject, before: ApiObject | undefined): ApiObject {
  const { clusterIP = "", clusterIPs } = specOf(service);
  return before === undefined && clusterIP !== "" && stringsOf(clusterIPs).length === 0
    ? withSpec(service, { clusterIPs: [clusterIP] })
    : service;
}

function nodePorts(spec: JsonObject, use: ServiceUse, server: StrategyServer): JsonObject {
  const isWanted = spec["type"] === "NodePort" || spec["allocateLoadBalancerNodePorts"] !== false;
  const isLocal = spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
  const ports = objectsOf(spec["ports"]);
  for (const { nodePort } of ports) {
    use.takePort(nodePort);
  }
  const filled = ports.map((port) =>
    isWanted && (port["nodePort"] ?? 0) === 0
      ? { ...port, nodePort: freeNodePort(use, server) }
      : port,
  );
  return {
    ports: filled,
    ...(isLocal && (spec["healthCheckNodePort"] ?? 0) === 0
      ? { healthCheckNodePort: freeNodePort(use, server) }
      : {}),
  };
}

/** Keeps allocated values that an update omits. */
function keepAllocated(service: ApiObject, before: ApiObject): ApiObject {
  const then = specOf(before);
  const trimmed = withoutMeaningless(service, then);
  const spec = specOf(trimmed);
  if (spec["type"] === "ExternalName" || then["type"] === "ExternalName") {
    return withoutNodePorts(trimmed, then);
  }
  const kept: JsonObject = {};
  if ((spec["clusterIP"] ?? "") === "") {
    kept["clusterIP"] = then["clusterIP"];
    kept["clusterIPs"] = spec["clusterIPs"] ?? then["clusterIPs"];
  } else if (spec["clusterIP"] === then["clusterIP"]) {
    kept["clusterIPs"] = spec["clusterIPs"] ?? then["clusterIPs"];
  } else if (jsonEqual(spec["clusterIPs"] ?? null, then["clusterIPs"] ?? null)) {
    // Only `clusterIP` was changed; `clusterIPs` follows.
    kept["clusterIPs"] = [spec["clusterIP"]];
  }
  for (const field of ["ipFamilies", "ipFamilyPolicy"]) {
    if (spec[field] === undefined) {
      kept[field] = then[field];
    }
  }
  if (spec["type"] !== "ClusterIP" && then["type"] !== "ClusterIP") {
    kept["ports"] = keepNodePorts(objectsOf(spec["ports"]), objectsOf(then["ports"]));
    const needsHealth = dependent["healthCheckNodePort"]?.(spec) === true;
    if (needsHealth && !spec["healthCheckNodePort"] && then["healthCheckNodePort"] !== undefined) {
      kept["healthCheckNodePort"] = then["healthCheckNodePort"];
    }
  }
  return withSpec(withoutNodePorts(trimmed, then), kept);
}

function keepNodePorts(ports: readonly JsonObject[], then: readonly JsonObject[]): JsonObject[] {
  const key = (port: JsonObject) => `${String(port["protocol"])}:${String(port["port"])}`;
  return ports.map((port) => {
    const known = then.find((one) => key(one) === key(port))?.["nodePort"];
    return (port["nodePort"] ?? 0) === 0 && known !== undefined
      ? { ...port, nodePort: known }
      : port;
  });
}

type Spec = JsonObject;

const isBalanced = ({ type }: Spec): boolean => type === "LoadBalancer";
const isOutside = ({ type }: Spec): boolean => type === "LoadBalancer" || type === "NodePort";

/** Fields that apply to some Services only, with the condition for each. */
const dependent: Readonly<Record<string, (spec: Spec) => boolean>> = {
  allocateLoadBalancerNodePorts: isBalanced,
  externalTrafficPolicy: isOutside,
  healthCheckNodePort: (spec) => isBalanced(spec) && spec["externalTrafficPolicy"] === "Local",
  internalTrafficPolicy: ({ type }) => type !== "ExternalName",
  loadBalancerClass: isBalanced,
};

/** Removes fields that no longer apply after a change of the Service, unless they were changed too. */
function withoutMeaningless(service: ApiObject, then: Spec): ApiObject {
  const spec = specOf(service);
  const left = Object.keys(dependent).filter(
    (field) =>
      spec[field] !== undefined &&
      dependent[field]?.(then) === true &&
      dependent[field]?.(spec) === false &&
      jsonEqual(spec[field], then[field] ?? null),
  );
  return left.length === 0 ? service : { ...service, spec: omitKeys(spec, ...left) };
}

/** Removes node ports from a Service that is no longer exposed outside the cluster, unless they were changed too. */
function withoutNodePorts(service: ApiObject, then: Spec): ApiObject {
  const spec = specOf(service);
  if (isOutside(spec) || !isOutside(then)) {
    return service;
  }
  const known = objectsOf(then["ports"]).map(({ nodePort }) => nodePort);
  const ports = objectsOf(spec["ports"]).map(({ nodePort, ...port }) =>
    nodePort === undefined || known.includes(nodePort) ? port : { ...port, nodePort },
  );
  return withSpec(service, { ports });
}

function withoutAllocated(service: ApiObject): ApiObject {
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, ...spec } = specOf(service);
  return { ...service, spec };
}
