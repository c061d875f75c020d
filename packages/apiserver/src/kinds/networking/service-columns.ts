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
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Columns of the kind Service. */
export const serviceColumns: readonly TableColumn[] = columnsFor("services", {
  Type: column("Type of the service.", (one) => specOf(one)["type"]),
  "Cluster-IP": column("Address inside the cluster.", (one) => orNone(specOf(one)["clusterIP"])),
  "External-IP": column("Addresses outside of the cluster.", externalAddress),
  "Port(s)": column("Ports, with their node ports.", (one) =>
    orNone(objectsOf(specOf(one)["ports"]).map(portText).join(",")),
  ),
  Selector: column("Selector of the pods.", (one) => labelsText(specOf(one)["selector"])),
});

/** Columns of the kind Endpoints. */
export const endpointsColumns: readonly TableColumn[] = columnsFor("endpoints", {
  Endpoints: column("Ready addresses and ports.", endpointsText),
});

/** Columns of the kind EndpointSlice. */
export const endpointSliceColumns: readonly TableColumn[] = columnsFor(
  "endpointslices.discovery.k8s.io",
  {
    AddressType: column("Family of the addresses.", ({ addressType }) => addressType),
    Ports: column("Ports of every endpoint.", ({ ports }) =>
      objectsOf(ports).length === 0
        ? "<unset>"
        : firstFew(objectsOf(ports).map(({ port }) => String(port ?? "*"))),
    ),
    Endpoints: column("Addresses of the endpoints.", ({ endpoints }) => {
      const addresses = objectsOf(endpoints).flatMap(({ addresses: of }) => stringsOf(of));
      return addresses.length === 0 ? "<unset>" : firstFew(addresses);
    }),
  },
);

/** Columns of the kind Ingress. */
export const ingressColumns: readonly TableColumn[] = columnsFor("ingresses.networking.k8s.io", {
  Class: column("Class of the Ingress.", (one) => orNone(specOf(one)["ingressClassName"])),
  Hosts: column("Host names of the rules.", hostsText),
  Address: column("Address of the load balancer.", ({ status }) => balancerText(status)),
  Ports: column("Ports of the Ingress.", (one) =>
    objectsOf(specOf(one)["tls"]).length > 0 ? "80, 443" : "80",
  ),
});

/** Columns of the kind IngressClass. */
export const ingressClassColumns: readonly TableColumn[] = columnsFor(
  "ingressclasses.networking.k8s.io",
  {
    Controller: column("Controller of the class.", (one) => specOf(one)["controller"]),
    Parameters: column("Parameters of the controller.", (one) => {
      const { apiGroup, kind, name } = mapOf(specOf(one)["parameters"]);
      const type = apiGroup === undefined ? String(kind) : `${String(kind)}.${String(apiGroup)}`;
      return kind === undefined ? none : `${type}/${String(name)}`;
    }),
  },
);

/** Columns of the kind NetworkPolicy. */
export const networkPolicyColumns: readonly TableColumn[] = columnsFor(
  "networkpolicies.networking.k8s.io",
  {
    "Pod-Selector": column("Selector of the pods.", (one) =>
      selectorText(specOf(one)["podSelector"]),
    ),
  },
);

/** Columns of the kind ServiceCIDR. */
export const serviceCidrColumns: readonly TableColumn[] = columnsFor(
  "servicecidrs.networking.k8s.io",
  {
    CIDRs: column("Address ranges.", (one) => stringsOf(specOf(one)["cidrs"]).join(",")),
  },
);

/** Columns of the kind IPAddress. */
export const ipAddressColumns: readonly TableColumn[] = columnsFor(
  "ipaddresses.networking.k8s.io",
  {
    ParentRef: column("Object with the address.", (one) => {
      const { group, resource, namespace, name } = mapOf(specOf(one)["parentRef"]);
      const type = (group ?? "") === "" ? String(resource) : `${String(resource)}.${String(group)}`;
      const home = (namespace ?? "") === "" ? "" : `${String(namespace)}/`;
      return `${type}/${home}${String(name)}`;
    }),
  },
);

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
