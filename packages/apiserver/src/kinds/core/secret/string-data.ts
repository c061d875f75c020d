import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys, setOwn } from "../../../objects/json-value.js";

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
