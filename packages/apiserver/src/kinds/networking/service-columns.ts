import type { JsonObject } from "../../objects/json-value.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import {
  firstFew,
  labelsText,
  none,
  orNone,
  selectorText,
} from "../../response/table/cell-text.js";
import { ageColumn, nameColumn, text, wide } from "../../response/table/make-column.js";

/** Columns of the kind Service. */
export const serviceColumns: readonly TableColumn[] = [
  nameColumn,
  text("Type", "Type of the service.", (one) => specOf(one)["type"]),
  text("Cluster-IP", "Address inside the cluster.", (one) => orNone(specOf(one)["clusterIP"])),
  text("External-IP", "Addresses outside of the cluster.", externalAddress),
  text("Port(s)", "Ports, with their node ports.", (one) =>
    orNone(objectsOf(specOf(one)["ports"]).map(portText).join(",")),
  ),
  ageColumn,
  wide(text("Selector", "Selector of the pods.", (one) => labelsText(specOf(one)["selector"]))),
];

/** Columns of the kind Endpoints. */
export const endpointsColumns: readonly TableColumn[] = [
  nameColumn,
  text("Endpoints", "Ready addresses and ports.", endpointsText),
  ageColumn,
];

/** Columns of the kind EndpointSlice. */
export const endpointSliceColumns: readonly TableColumn[] = [
  nameColumn,
  text("AddressType", "Family of the addresses.", ({ addressType }) => addressType),
  text("Ports", "Ports of every endpoint.", ({ ports }) =>
    objectsOf(ports).length === 0
      ? "<unset>"
      : firstFew(objectsOf(ports).map(({ port }) => String(port ?? "*"))),
  ),
  text("Endpoints", "Addresses of the endpoints.", ({ endpoints }) => {
    const addresses = objectsOf(endpoints).flatMap(({ addresses: of }) => stringsOf(of));
    return addresses.length === 0 ? "<unset>" : firstFew(addresses);
  }),
  ageColumn,
];

/** Columns of the kind Ingress. */
export const ingressColumns: readonly TableColumn[] = [
  nameColumn,
  text("Class", "Class of the Ingress.", (one) => orNone(specOf(one)["ingressClassName"])),
  text("Hosts", "Host names of the rules.", hostsText),
  text("Address", "Address of the load balancer.", ({ status }) => balancerText(status)),
  text("Ports", "Ports of the Ingress.", (one) =>
    objectsOf(specOf(one)["tls"]).length > 0 ? "80, 443" : "80",
  ),
  ageColumn,
];

/** Columns of the kind IngressClass. */
export const ingressClassColumns: readonly TableColumn[] = [
  nameColumn,
  text("Controller", "Controller of the class.", (one) => specOf(one)["controller"]),
  text("Parameters", "Parameters of the controller.", (one) => {
    const { apiGroup, kind, name } = mapOf(specOf(one)["parameters"]);
    const type = apiGroup === undefined ? String(kind) : `${String(kind)}.${String(apiGroup)}`;
    return kind === undefined ? none : `${type}/${String(name)}`;
  }),
  ageColumn,
];

/** Columns of the kind NetworkPolicy. */
export const networkPolicyColumns: readonly TableColumn[] = [
  nameColumn,
  text("Pod-Selector", "Selector of the pods.", (one) => selectorText(specOf(one)["podSelector"])),
  ageColumn,
];

/** Columns of the kind ServiceCIDR. */
export const serviceCidrColumns: readonly TableColumn[] = [
  nameColumn,
  text("CIDRs", "Address ranges.", (one) => stringsOf(specOf(one)["cidrs"]).join(",")),
  ageColumn,
];

/** Columns of the kind IPAddress. */
export const ipAddressColumns: readonly TableColumn[] = [
  nameColumn,
  text("ParentRef", "Object with the address.", (one) => {
    const { group, resource, namespace, name } = mapOf(specOf(one)["parentRef"]);
    const type = (group ?? "") === "" ? String(resource) : `${String(resource)}.${String(group)}`;
    const home = (namespace ?? "") === "" ? "" : `${String(namespace)}/`;
    return `${type}/${home}${String(name)}`;
  }),
];

function externalAddress(service: JsonObject): unknown {
  const spec = specOf(service);
  const given = stringsOf(spec["externalIPs"]);
  switch (spec["type"]) {
    case "ExternalName":
      return spec["externalName"];
    case "LoadBalancer": {
      const balancer = balancerText(service["status"]);
      const all = [...(balancer === "" ? [] : [balancer]), ...given];
      return all.length === 0 ? "<pending>" : all.join(",");
    }
    default:
      return orNone(given.join(","));
  }
}

/** Returns the load balancer addresses, sorted and without duplicates. */
function balancerText(status: unknown): string {
  const ingress = objectsOf(mapOf(mapOf(status)["loadBalancer"])["ingress"]);
  const addresses = ingress.map(({ ip, hostname }) => String(ip || hostname || ""));
  return [...new Set(addresses.filter((one) => one !== ""))].sort().join(",");
}

function portText({ port, nodePort, protocol }: JsonObject): string {
  const onNodes = (nodePort ?? 0) === 0 ? "" : `:${String(nodePort)}`;
  return `${String(port)}${onNodes}/${String(protocol)}`;
}

function endpointsText({ subsets }: JsonObject): string {
  const parts = objectsOf(subsets).flatMap(({ addresses, ports }) => {
    const ips = objectsOf(addresses).map(({ ip }) => String(ip));
    const numbers = objectsOf(ports).map(({ port }) => String(port));
    return numbers.length === 0
      ? ips
      : numbers.flatMap((port) => ips.map((ip) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`));
  });
  return objectsOf(subsets).length === 0 ? none : firstFew(parts);
}

function hostsText(ingress: JsonObject): string {
  const hosts = objectsOf(specOf(ingress)["rules"]).map(({ host }) => String(host ?? ""));
  const named = hosts.filter((host) => host !== "");
  return named.length === 0 ? "*" : firstFew(named);
}
