import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { labelsText, orNone } from "../../response/table/cell-text.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";
import { balancerText } from "../fields/balancer-text.js";
import { asNewService, withKeptAddresses } from "./service/allocate-service.js";
import { validateServiceChange, validateServiceStatus } from "./service/service-changes.js";
import { validateAllocation } from "./service/service-use.js";
import { serviceWarnings } from "./service/service-warnings.js";
import { validateService } from "./service/validate-service.js";

/** Strategy of the kind Service. */
export const serviceStrategy: KindStrategy = {
  rules: { createOnUpdate: true, returnDeleted: true, names: "service" },
  prepareCreate: asNewService,
  prepareUpdate: withKeptAddresses,
  validate: validateService,
  validateUpdate: validateServiceChange,
  validateStatus: validateServiceStatus,
  validateGrant: validateAllocation,
  warnings: serviceWarnings,
  fieldSelectors: { paths: ["spec.clusterIP", "spec.type"] },
  columns: columnsFor("services", {
    Type: column("Type of the service.", (one) => specOf(one)["type"]),
    "Cluster-IP": column("Address inside the cluster.", (one) => orNone(specOf(one)["clusterIP"])),
    "External-IP": column("Addresses outside of the cluster.", externalAddress),
    "Port(s)": column("Ports, with their node ports.", (one) =>
      orNone(objectsOf(specOf(one)["ports"]).map(portText).join(",")),
    ),
    Selector: column("Selector of the pods.", (one) => labelsText(specOf(one)["selector"])),
  }),
};

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

function portText({ port, nodePort, protocol }: JsonObject): string {
  const onNodes = (nodePort ?? 0) === 0 ? "" : `:${String(nodePort)}`;
  return `${String(port)}${onNodes}/${String(protocol)}`;
}
