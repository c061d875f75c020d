import {
  isKnownFormat,
  readStructuralSchema,
  type StructuralSchema,
  schemasIn,
} from "@typekube/schema";
import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import { versionsOf } from "../resources/definition.js";

/** Returns warnings about parts of a definition that have no effect; on an update, only new warnings. */
export function definitionWarnings(object: JsonObject, before: JsonObject | undefined): string[] {
  const known = new Set(before === undefined ? [] : warningsOf(before));
  return warningsOf(object).filter((text) => !known.has(text));
}

function warningsOf(object: JsonObject): string[] {
  const schemas = schemasOf(object).flatMap(schemasIn);
  const formats = schemas.flatMap(({ source, type }) => {
    const { format } = source;
    return typeof format === "string" && format !== "" && !isKnownFormat(format, type)
      ? [`unrecognized format ${JSON.stringify(format)}`]
      : [];
  });
  const sets = schemas.flatMap(({ listType, items }) =>
    listType === "set" && (items?.type === "object" || items?.type === "array")
      ? [
          `x-kubernetes-list-type: set for items of type "${items.type}" is not supported by server-side apply or CEL validation rules`,
        ]
      : [],
  );
  return [...formats, ...new Set(sets.sort())];
}

function schemasOf(object: JsonObject): StructuralSchema[] {
  return versionsOf(object).flatMap((version) => {
    const source = getPath(version, "schema", "openAPIV3Schema");
    return isJsonObject(source) ? [readStructuralSchema(source)] : [];
  });
}
