import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import type { KindStrategy, StrategyWrite } from "../../resources/kind-strategy.js";
import { apiServiceColumns } from "../admissionregistration/admission-columns.js";

/** Strategy of the kind APIService. */
export const apiServiceStrategy: KindStrategy = {
  rules: { statusOnCreate: true, statusMetadata: "none" },
  prepareCreate: withLocalStatus,
  columns: apiServiceColumns,
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
