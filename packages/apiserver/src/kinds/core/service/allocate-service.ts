import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { objectsOf, specOf, withSpec } from "../../../objects/parts.js";
import type { StrategyServer, StrategyWrite } from "../../../resources/kind-strategy.js";
import { keepAllocated } from "./kept-values.js";
import { withFamilies } from "./service-families.js";
import { hasHealthCheck } from "./service-types.js";
import { freeAddress, freeNodePort, ServiceUse } from "./service-use.js";

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

function allocate(service: ApiObject, server: StrategyServer, old?: ApiObject): ApiObject {
  const { type } = specOf(service);
  if (type === "ExternalName") {
    return old === undefined ? service : withoutAllocated(service);
  }
  const spec = withFamilies(withAddressList(service, old), old);
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
function withAddressList(service: ApiObject, old: ApiObject | undefined): ApiObject {
  const { clusterIP = "", clusterIPs } = specOf(service);
  return old === undefined && clusterIP !== "" && stringsOf(clusterIPs).length === 0
    ? withSpec(service, { clusterIPs: [clusterIP] })
    : service;
}

function nodePorts(spec: JsonObject, use: ServiceUse, server: StrategyServer): JsonObject {
  const isWanted = spec["type"] === "NodePort" || spec["allocateLoadBalancerNodePorts"] !== false;
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
    ...(hasHealthCheck(spec) && (spec["healthCheckNodePort"] ?? 0) === 0
      ? { healthCheckNodePort: freeNodePort(use, server) }
      : {}),
  };
}

function withoutAllocated(service: ApiObject): ApiObject {
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, ...spec } = specOf(service);
  return { ...service, spec };
}
