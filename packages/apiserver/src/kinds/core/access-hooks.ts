import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys, setOwn } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import type { StrategyWrite } from "../../resources/kind-strategy.js";

/** Adds the status of an APIService that the server itself serves. */
export function withLocalStatus(service: ApiObject, { server }: StrategyWrite): ApiObject {
  return isJsonObject(specOf(service)["service"])
    ? service
    : { ...service, status: { conditions: [localAvailable(timestamp(server.clock))] } };
}

/** Returns the condition of an APIService that the server itself serves. */
function localAvailable(time: string): JsonObject {
  return {
    type: "Available",
    status: "True",
    lastTransitionTime: time,
    reason: "Local",
    message: "Local APIServices are always available",
  };
}

/** Moves `stringData` of a Secret to `data`. */
export function withStringData(secret: ApiObject): ApiObject {
  const { stringData } = secret;
  if (stringData === undefined) {
    return secret;
  }
  const plain = omitKeys(secret, "stringData") as ApiObject;
  if (!isJsonObject(stringData)) {
    return plain;
  }
  const data: JsonObject = isJsonObject(plain["data"]) ? { ...plain["data"] } : {};
  for (const key of Object.keys(stringData)) {
    setOwn(data, key, Buffer.from(String(stringData[key]), "utf8").toString("base64"));
  }
  return { ...plain, data };
}
