import type { ApiObject } from "../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { versionsOf } from "../resources/definition.js";

/** Fills in the defaults of a definition. */
export function withDefinitionDefaults(object: ApiObject): ApiObject {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const names = isJsonObject(spec["names"]) ? spec["names"] : {};
  const kind = typeof names["kind"] === "string" ? names["kind"] : "";
  const filled: JsonObject = { ...names };
  if (kind !== "") {
    filled["singular"] ||= kind.toLowerCase();
    filled["listKind"] ||= `${kind}List`;
  }
  return {
    ...object,
    spec: { ...spec, names: filled, conversion: spec["conversion"] ?? { strategy: "None" } },
  };
}

/** Adds the storage version of a definition to its `status.storedVersions`. */
export function withStoredVersions(object: ApiObject): ApiObject {
  const status = isJsonObject(object["status"]) ? object["status"] : {};
  const before = Array.isArray(status["storedVersions"]) ? status["storedVersions"] : [];
  const name = versionsOf(object).find((version) => version["storage"] === true)?.["name"];
  return name === undefined || before.includes(name)
    ? object
    : { ...object, status: { ...status, storedVersions: [...before, name] } };
}
