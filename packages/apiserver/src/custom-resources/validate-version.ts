import type { FieldErrors } from "../errors/field-errors.js";
import { cause } from "../errors/status-errors.js";
import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import { listOf } from "../resources/definition.js";
import {
  readStructuralSchema,
  type StructuralSchema,
} from "../schema/structural/structural-schema.js";
import { schemaCause } from "../schema/structural/validate-schema.js";

/** Returns the errors in a version's scale paths. */
export function validateScale(version: JsonObject, path: string, errors: FieldErrors): void {
  const scale = getPath(version, "subresources", "scale");
  if (!isJsonObject(scale)) {
    return;
  }
  const check = (key: string, roots: readonly string[], place: string, isOptional = false) => {
    const value = String(scale[key] ?? "");
    const at = `${path}.scale.${key}`;
    if (value === "") {
      return isOptional ? [] : [cause.required(at)];
    }
    if (!value.startsWith(".")) {
      return [cause.invalid(at, value, "must be a simple json path starting with .")];
    }
    return roots.some((root) => value.startsWith(root))
      ? []
      : [cause.invalid(at, value, `should be a json path under ${place}`)];
  };
  errors.push(...check("specReplicasPath", [".spec."], ".spec"));
  errors.push(...check("statusReplicasPath", [".status."], ".status"));
  errors.push(
    ...check("labelSelectorPath", [".spec.", ".status."], "either .spec or .status", true),
  );
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

/** Returns the errors in a version's printer columns. */
export function validateColumn(version: JsonObject, path: string, errors: FieldErrors): void {
  for (const [index, column] of listOf(version["additionalPrinterColumns"]).entries()) {
    const text = (key: string) => String(column[key] ?? "");
    const at = `${path}[${index}]`;
    const causes: FieldErrors = [];
    if (text("name") === "") {
      causes.push(cause.required(`${at}.name`));
    }
    const oneOf = (values: readonly string[]) => `must be one of ${values.join(",")}`;
    if (text("type") === "") {
      causes.push(cause.required(`${at}.type`, oneOf(columnTypes)));
    } else if (!columnTypes.includes(text("type"))) {
      causes.push(cause.invalid(`${at}.type`, text("type"), oneOf(columnTypes)));
    }
    if (text("format") !== "" && !columnFormats.includes(text("format"))) {
      causes.push(cause.invalid(`${at}.format`, text("format"), oneOf(columnFormats)));
    }
    if (text("jsonPath") === "") {
      causes.push(cause.required(`${at}.JSONPath`));
    } else if (!text("jsonPath").startsWith(".")) {
      const why = "must be a simple json path starting with .";
      causes.push(cause.invalid(`${at}.JSONPath`, text("jsonPath"), why));
    }
    errors.push(...causes);
  }
}

/** Maximum number of selectable fields of a version. */
const maxSelectableFields = 8;

/** Returns the errors in a version's selectable fields. */
export function validateSelectable(version: JsonObject, path: string, errors: FieldErrors): void {
  const source = getPath(version, "schema", "openAPIV3Schema");
  const schema = readStructuralSchema(isJsonObject(source) ? source : {});
  const seen = new Set<string>();
  const causes = listOf(version["selectableFields"]).flatMap(({ jsonPath }, index) => {
    const value = String(jsonPath ?? "");
    const at = `${path}[${index}].jsonPath`;
    if (value === "") {
      return [cause.required(at)];
    }
    if (!value.startsWith(".")) {
      const [first = ""] = value.split(".");
      return [cause.invalid(at, value, `is an invalid path: expected [ or . but got: ${first}`)];
    }
    const found = value
      .slice(1)
      .split(".")
      .reduce<StructuralSchema | undefined>((inner, key) => inner?.properties.get(key), schema);
    if (found === undefined) {
      return [cause.invalid(at, value, "is an invalid path: does not refer to a valid field")];
    }
    const isRepeated = seen.has(value);
    seen.add(value);
    return [
      ...(value.startsWith(".metadata")
        ? [cause.invalid(at, value, "must not point to fields in metadata")]
        : []),
      ...(["string", "boolean", "integer"].includes(found.type)
        ? []
        : [
            cause.invalid(
              at,
              value,
              "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
            ),
          ]),
      ...(isRepeated ? [schemaCause.duplicate(at, value)] : []),
    ];
  });
  if (seen.size > maxSelectableFields) {
    errors.push(...causes);
    errors.push(schemaCause.tooMany(path, seen.size, maxSelectableFields));
  } else {
    errors.push(...causes);
  }
}
