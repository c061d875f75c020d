import {
  cause,
  type FieldErrors,
  isUnset,
  validateItems,
  validateRequired,
} from "@typekube/core/internal/field-errors";
import { getPath, isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import { readStructuralSchema, type StructuralSchema } from "../structural/structural-schema.js";
import { listOf } from "./definition-parts.js";

/** Appends the errors in a version's scale paths. */
export function validateScale(version: JsonObject, path: string, errors: FieldErrors): void {
  const scale = getPath(version, "subresources", "scale");
  if (!isJsonObject(scale)) {
    return;
  }
  const validatePath = (key: string, roots: readonly string[], place: string) => {
    const value = String(scale[key] ?? "");
    const at = `${path}.scale.${key}`;
    if (value !== "" && !value.startsWith(".")) {
      errors.push(cause.invalid(at, value, "must be a simple json path starting with ."));
    } else if (value !== "" && !roots.some((root) => value.startsWith(root))) {
      errors.push(cause.invalid(at, value, `should be a json path under ${place}`));
    }
  };
  validateRequired(scale["specReplicasPath"], `${path}.scale.specReplicasPath`, errors);
  validatePath("specReplicasPath", [".spec."], ".spec");
  validateRequired(scale["statusReplicasPath"], `${path}.scale.statusReplicasPath`, errors);
  validatePath("statusReplicasPath", [".status."], ".status");
  validatePath("labelSelectorPath", [".spec.", ".status."], "either .spec or .status");
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];

/** Appends the errors in a version's printer columns. */
export function validateColumns(version: JsonObject, path: string, errors: FieldErrors): void {
  validateItems(listOf(version["additionalPrinterColumns"]), validateColumn, path, errors);
}

function validateColumn(
  { name, type, format, jsonPath }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const oneOf = (words: readonly string[]) => `must be one of ${words.join(",")}`;
  validateRequired(name, `${path}.name`, errors);
  if (isUnset(type)) {
    errors.push(cause.required(`${path}.type`, oneOf(columnTypes)));
  } else if (!columnTypes.includes(String(type))) {
    errors.push(cause.invalid(`${path}.type`, type, oneOf(columnTypes)));
  }
  if (!isUnset(format) && !columnFormats.includes(String(format))) {
    errors.push(cause.invalid(`${path}.format`, format, oneOf(columnFormats)));
  }
  validateRequired(jsonPath, `${path}.JSONPath`, errors);
  if (!isUnset(jsonPath) && !String(jsonPath).startsWith(".")) {
    const why = "must be a simple json path starting with .";
    errors.push(cause.invalid(`${path}.JSONPath`, jsonPath, why));
  }
}

/** Maximum number of selectable fields of a version. */
const maxSelectableFields = 8;

/** Appends the errors in a version's selectable fields. */
export function validateSelectableFields(
  version: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const source = getPath(version, "schema", "openAPIV3Schema");
  const schema = readStructuralSchema(isJsonObject(source) ? source : {});
  const known = new Set<string>();
  for (const [at, { jsonPath }] of listOf(version["selectableFields"]).entries()) {
    validateSelectable(String(jsonPath ?? ""), schema, `${path}[${at}].jsonPath`, errors, known);
  }
  if (known.size > maxSelectableFields) {
    errors.push(cause.tooMany(path, known.size, maxSelectableFields));
  }
}

function validateSelectable(
  selected: string,
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
  known: Set<string>,
): void {
  const [first = "", ...keys] = selected.split(".");
  const field = keys.reduce<StructuralSchema | undefined>(
    (inner, key) => inner?.properties.get(key),
    schema,
  );
  if (selected === "") {
    errors.push(cause.required(path));
  } else if (first !== "") {
    const why = `is an invalid path: expected [ or . but got: ${first}`;
    errors.push(cause.invalid(path, selected, why));
  } else if (field === undefined) {
    const why = "is an invalid path: does not refer to a valid field";
    errors.push(cause.invalid(path, selected, why));
  } else {
    if (selected.startsWith(".metadata")) {
      errors.push(cause.invalid(path, selected, "must not point to fields in metadata"));
    }
    if (!["string", "boolean", "integer"].includes(field.type)) {
      const why =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      errors.push(cause.invalid(path, selected, why));
    }
    if (known.has(selected)) {
      errors.push(cause.duplicate(path, selected));
    }
    known.add(selected);
  }
}
