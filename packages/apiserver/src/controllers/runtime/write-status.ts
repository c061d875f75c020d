import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { ControllerParts } from "./controller-parts.js";

/** Writes the status of an object if it changed. Numbers that are 0 count as absent. */
export function writeIfChanged(
  { writer }: ControllerParts,
  storage: string,
  object: ApiObject,
  status: JsonObject,
): void {
  const { name = "", namespace = "" } = object.metadata;
  const current = writer.get(storage, namespace, name);
  if (current !== undefined && !jsonEqual(filled(status), filled(mapOf(current["status"])))) {
    writer.update(storage, { ...current, status }, "status");
  }
}

function filled(status: JsonObject): JsonObject {
  const zeros = Object.keys(status).filter(
    (key) => status[key] === 0 || status[key] === undefined || jsonEqual(status[key], {}),
  );
  return omitKeys(status, ...zeros);
}
