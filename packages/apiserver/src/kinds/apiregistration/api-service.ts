import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import type { KindStrategy, StrategyWrite } from "../../resources/kind-strategy.js";
import { columnsFor } from "../../response/table/columns-for.js";
import { column } from "../../response/table/make-column.js";

/** Strategy of the kind APIService. */
export const apiServiceStrategy: KindStrategy = {
  rules: { statusOnCreate: true, statusMetadata: "none" },
  prepareCreate: withLocalStatus,
  columns: columnsFor("apiservices.apiregistration.k8s.io", {
    Service: column("Service that handles the requests.", (one) => {
      const { namespace, name } = mapOf(specOf(one)["service"]);
      return name === undefined ? "Local" : `${String(namespace)}/${String(name)}`;
    }),
    Available: column("Availability of the service.", availability),
  }),
  idle: {
    why: "does not forward requests to other servers",
    note: "with a Service",
    only: (object) => typeof specOf(object)["service"] === "object",
  },
};

/** Adds the status of an APIService that the server itself serves. */
function withLocalStatus(service: ApiObject, { server }: StrategyWrite): ApiObject {
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: timestamp(server.clock),
    reason: "Local",
    message: "Local APIServices are always available",
  };
  return isJsonObject(specOf(service)["service"])
    ? service
    : { ...service, status: { conditions: [available] } };
}

/** Formats the condition Available with its reason. */
function availability({ status }: JsonObject): string {
  const found = objectsOf(mapOf(status)["conditions"]).find(({ type }) => type === "Available");
  if (found === undefined) {
    return "Unknown";
  }
  const { status: value, reason } = found;
  return value === "True" ? "True" : `${String(value)} (${String(reason ?? "")})`;
}
