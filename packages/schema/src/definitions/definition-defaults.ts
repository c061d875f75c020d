import type { JsonObject } from "@typekube/core/internal/json";
import { mapOf, versionsOf } from "./definition-parts.js";

/** Fills in the defaults of a definition. */
export function withDefinitionDefaults<T extends JsonObject>(object: T): T {
  const spec = mapOf(object["spec"]);
  const names = mapOf(spec["names"]);
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
export function withStoredVersions<T extends JsonObject>(object: T): T {
  const status = mapOf(object["status"]);
  const before = Array.isArray(status["storedVersions"]) ? status["storedVersions"] : [];
  const name = versionsOf(object).find((version) => version["storage"] === true)?.["name"];
  return name === undefined || before.includes(name)
    ? object
    : { ...object, status: { ...status, storedVersions: [...before, name] } };
}
