import { getPath, isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import {
  readStructuralSchema,
  type StructuralSchema,
  schemasIn,
} from "../structural/structural-schema.js";
import { isKnownFormat } from "../values/value-formats.js";
import { versionsOf } from "./definition-parts.js";

/** Returns warnings about parts of a definition that have no effect; on an update, only new warnings. */
export function definitionWarnings(object: JsonObject, before: JsonObject | undefined): string[] {
  const known = new Set(before === undefined ? [] : warningsOf(before));
  return warningsOf(object).filter((text) => !known.has(text));
}

function warningsOf(object: JsonObject): string[] {
  const formats: string[] = [];
  const sets = new Set<string>();
  for (const { source, type, listType, items } of schemasOf(object).flatMap(schemasIn)) {
    const { format } = source;
    if (typeof format === "string" && format !== "" && !isKnownFormat(format, type)) {
      formats.push(`unrecognized format ${JSON.stringify(format)}`);
    }
    if (listType === "set" && (items?.type === "object" || items?.type === "array")) {
      sets.add(
        `x-kubernetes-list-type: set for items of type "${items.type}" is not supported by server-side apply or CEL validation rules`,
      );
    }
  }
  return [...formats, ...[...sets].sort()];
}

function schemasOf(object: JsonObject): StructuralSchema[] {
  return versionsOf(object).flatMap((version) => {
    const source = getPath(version, "schema", "openAPIV3Schema");
    return isJsonObject(source) ? [readStructuralSchema(source)] : [];
  });
}
