import { readStructuralSchema, type StructuralSchema, schemasIn } from "@typekube/schema";
import type { FieldErrors } from "../errors/field-errors.js";
import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import { versionsOf } from "../resources/definition.js";
import { isKnownFormat } from "../schema/structural/value-formats.js";

/**
 * Returns warnings about parts of a definition that have no effect. On an update, only new warnings, except for the one
 * about CEL rules.
 */
export function definitionWarnings(
  object: JsonObject,
  before: JsonObject | undefined,
  enforceCel: boolean,
): string[] {
  const known = new Set(before === undefined ? [] : warningsOf(before));
  const rules = enforceCel ? [] : celRules(object);
  const [first] = rules;
  return [
    ...warningsOf(object).filter((text) => !known.has(text)),
    ...(first === undefined
      ? []
      : [
          `the embedded server stores x-kubernetes-validations but does not enforce them: ${rules.length} place${rules.length === 1 ? "" : "s"}, the first is ${first}`,
        ]),
  ];
}

function warningsOf(object: JsonObject): string[] {
  const schemas = schemasOf(object).flatMap(({ schema }) => [...schemasIn(schema)]);
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

/** Returns the paths of schemas with CEL rules. */
export function celRules(object: JsonObject): string[] {
  return schemasOf(object).flatMap(({ at, schema }) =>
    [...schemasIn(schema)].flatMap(({ source }) => {
      const rules = source["x-kubernetes-validations"];
      return Array.isArray(rules) && rules.length > 0
        ? [`spec.versions[${at}].schema.openAPIV3Schema`]
        : [];
    }),
  );
}

function schemasOf(
  object: JsonObject,
): { readonly at: number; readonly schema: StructuralSchema }[] {
  return versionsOf(object).flatMap((version, at) => {
    const source = getPath(version, "schema", "openAPIV3Schema");
    return isJsonObject(source) ? [{ at, schema: readStructuralSchema(source) }] : [];
  });
}

/** Returns a field error for each place with CEL rules. */
export function validateNoCel(definition: JsonObject, errors: FieldErrors): void {
  for (const field of celRules(definition)) {
    errors.push({
      reason: "FieldValueForbidden",
      message: "Forbidden: the embedded server does not evaluate x-kubernetes-validations",
      field,
    });
  }
}
