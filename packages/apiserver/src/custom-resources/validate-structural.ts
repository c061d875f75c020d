import type { StatusCause } from "@typekube/core";
import { collectErrors, type FieldErrors } from "../errors/field-errors.js";
import { cause } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../objects/json-value.js";
import { validateItems } from "../phases/validate/checks.js";
import { compileRe2 } from "../schema/re2/index.js";
import type { StructuralSchema } from "../schema/structural/structural-schema.js";

/** Position of a schema in the object. */
type Level = "field" | "item" | "root";

const levelNames: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/**
 * Returns the reasons why a schema is not structural: it must define the complete shape outside `anyOf` and the like,
 * and types everywhere.
 */
export function validateStructuralSchema(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  const all: FieldErrors = [];
  validateShape(schema, "root", path, all);
  validateIncomplete(schema, schema, path, path, all);
  const text = ({ field, message }: StatusCause) => `${field}: ${message}`;
  errors.push(...all.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0)));
}

function validateShape(
  schema: StructuralSchema,
  level: Level,
  path: string,
  errors: FieldErrors,
): void {
  const { type, items, properties, additionalProperties } = schema;
  const isResource = level === "root" || schema.embeddedResource;
  if (type === "array" && items === undefined) {
    errors.push(cause.required(`${path}.items`, "must be specified"));
  }
  if (items !== undefined) {
    validateShape(items, "item", `${path}.items`, errors);
  }
  for (const [name, property] of properties) {
    validateShape(property, "field", `${path}.properties[${name}]`, errors);
  }
  if (additionalProperties !== undefined) {
    const at = `${path}.additionalProperties`;
    if (level === "root") {
      errors.push(cause.forbidden(at, "must not be used at the root"));
    }
    if (typeof additionalProperties === "object") {
      validateShape(additionalProperties, "field", at, errors);
    }
    if (schema.embeddedResource) {
      const why = "must not be used if x-kubernetes-embedded-resource is set";
      errors.push(cause.forbidden(at, why));
    }
  }
  validateExtensions(schema, path, errors);
  validateNestedSchema(schema, path, errors);
  validateType(schema, level, path, errors);
  for (const key of isResource ? ["kind", "apiVersion"] : []) {
    const property = properties.get(key);
    if (property !== undefined && property.type !== "string") {
      errors.push(
        cause.invalid(`${path}.properties[${key}].type`, property.type, "must be string"),
      );
    }
  }
  const metadata = properties.get("metadata");
  if (metadata !== undefined) {
    validateMetadata(metadata, isResource, level, `${path}.properties[metadata]`, errors);
  }
  if (schema.embeddedResource && !schema.preserveUnknownFields && properties.size === 0) {
    const why =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(cause.required(`${path}.properties`, why));
  }
}

function validateType(
  schema: StructuralSchema,
  level: Level,
  path: string,
  errors: FieldErrors,
): void {
  const { type } = schema;
  const at = `${path}.type`;
  if (schema.embeddedResource && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? cause.required(at, why) : cause.invalid(at, type, why));
    return;
  }
  if (type === "" && !schema.intOrString && !schema.preserveUnknownFields) {
    errors.push(cause.required(at, levelNames[level]));
    return;
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(cause.invalid(at, type, "must be object at the root"));
  }
}

function validateMetadata(
  { type, source }: StructuralSchema,
  isResource: boolean,
  level: Level,
  path: string,
  errors: FieldErrors,
): void {
  const wrongType = isResource && type !== "object";
  const names = Object.keys(isJsonObject(source["properties"]) ? source["properties"] : {});
  const onlyNames = names.every((name) => name === "name" || name === "generateName");
  const more = Object.keys(source).some((key) => !["type", "properties", "default"].includes(key));
  const why =
    "must not specify anything other than name and generateName, but metadata is implicitly specified";
  if (wrongType) {
    errors.push(cause.invalid(`${path}.type`, type, "must be object"));
  }
  if (level === "root" && (!onlyNames || more)) {
    errors.push(cause.forbidden(path, why));
  }
}

function validateExtensions(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const why = "must be false if x-kubernetes-int-or-string is true";
  const clash = (key: string, isSet: boolean) =>
    schema.intOrString && isSet ? [cause.invalid(`${path}.${key}`, true, why)] : [];
  errors.push(...clash("x-kubernetes-preserve-unknown-fields", schema.preserveUnknownFields));
  errors.push(...clash("x-kubernetes-embedded-resource", schema.embeddedResource));
}

const integerOrString = [{ type: "integer" }, { type: "string" }];

function isIntegerOrString(schemas: readonly StructuralSchema[]): boolean {
  return jsonEqual(
    schemas.map(({ source }) => source),
    integerOrString,
  );
}

/** Appends errors for constructs not allowed within `anyOf`, `allOf`, `oneOf` and `not`, and for an invalid pattern. */
function validateNestedSchema(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const { anyOf, allOf, oneOf, not, source } = schema;
  if (!isIntegerOrString(anyOf)) {
    validateItems(anyOf, validateValueOnlySchema, `${path}.anyOf`, errors);
  }
  allOf.forEach((one, at) => {
    const isException = at === 0 && isIntegerOrString(one.anyOf);
    const checked = isException ? { ...one, anyOf: [] } : one;
    errors.push(
      ...collectErrors((found) => validateValueOnlySchema(checked, `${path}.allOf[${at}]`, found)),
    );
  });
  validateItems(oneOf, validateValueOnlySchema, `${path}.oneOf`, errors);
  if (not !== undefined) {
    validateValueOnlySchema(not, `${path}.not`, errors);
  }
  const { pattern } = source;
  const compiled = typeof pattern === "string" && pattern !== "" ? compileRe2(pattern) : {};
  if ("problem" in compiled) {
    const why = `must be a valid regular expression, but isn't: ${compiled.problem}`;
    errors.push(cause.invalid(`${path}.pattern`, pattern, why));
  }
}

const forbiddenKeys: readonly (readonly [key: string, why: string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function validateValueOnlySchema(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
): void {
  const causes: FieldErrors = [];
  validateNestedSchema(schema, path, causes);
  if (schema.items !== undefined) {
    validateValueOnlySchema(schema.items, `${path}.items`, causes);
  }
  for (const [name, property] of schema.properties) {
    validateValueOnlySchema(property, `${path}.properties[${name}]`, causes);
  }
  for (const [key, why] of forbiddenKeys) {
    if (isSet(schema.source, key)) {
      causes.push(cause.forbidden(`${path}.${key}`, why));
    }
  }
  if (schema.properties.has("metadata")) {
    const why = "must not be specified in a nested context";
    causes.push(cause.forbidden(`${path}.properties[metadata]`, why));
  }
  errors.push(...causes);
}

function isSet(source: JsonObject, key: string): boolean {
  const value = source[key];
  const isEmpty = value === undefined || value === null || value === false || value === "";
  return !isEmpty && !(Array.isArray(value) && value.length === 0);
}

/** Appends errors for fields that restrictions mention but the shape does not define. */
function validateIncomplete(
  restriction: StructuralSchema,
  shape: StructuralSchema | undefined,
  shapePath: string,
  path: string,
  errors: FieldErrors,
): void {
  const groups = [
    ...(restriction.not === undefined ? [] : [[restriction.not, `${path}.not`] as const]),
    ...restriction.allOf.map((one, at) => [one, `${path}.allOf[${at}]`] as const),
    ...restriction.anyOf.map((one, at) => [one, `${path}.anyOf[${at}]`] as const),
    ...restriction.oneOf.map((one, at) => [one, `${path}.oneOf[${at}]`] as const),
  ];
  for (const [nested, at] of groups) {
    validateUnnamed(nested, shape, shapePath, at, errors);
  }
}

function validateUnnamed(
  nested: StructuralSchema,
  shape: StructuralSchema | undefined,
  shapePath: string,
  path: string,
  errors: FieldErrors,
): void {
  if (shape === undefined) {
    errors.push(cause.required(shapePath, `because it is defined in ${path}`));
    return;
  }
  const properties: FieldErrors = [];
  for (const [name, property] of [...nested.properties]) {
    validateUnnamed(
      property,
      shape.properties.get(name),
      `${shapePath}.properties[${name}]`,
      `${path}.properties[${name}]`,
      properties,
    );
  }
  const items: FieldErrors = [];
  if (nested.items !== undefined) {
    validateUnnamed(nested.items, shape.items, `${shapePath}.items`, `${path}.items`, items);
  }
  validateIncomplete(nested, shape, shapePath, path, errors);
  errors.push(...items);
  errors.push(...properties);
}
