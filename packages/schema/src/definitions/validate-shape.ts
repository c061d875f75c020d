import type { StatusCause } from "@typekube/core";
import {
  type Check,
  cause,
  type FieldErrors,
  validateItems,
} from "@typekube/core/internal/field-errors";
import { isJsonObject, type JsonObject, jsonEqual } from "@typekube/core/internal/json";
import type { CompilePattern } from "../structural/compile-pattern.js";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { validatePatterns } from "./validate-patterns.js";

/** Position of a schema in the object. */
type Level = "field" | "item" | "root";

const levelNames: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/**
 * Appends the reasons why a schema is not structural: it must define the complete shape outside `anyOf` and the like,
 * and types everywhere. They are sorted, like those of real servers.
 */
export function validateStructuralSchema(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
  compilePattern: CompilePattern,
): void {
  const own: FieldErrors = [];
  validateShape(schema, "root", path, own);
  validateRestrictions(schema, schema, path, path, own);
  validatePatterns(schema, path, own, compilePattern);
  const textOf = ({ field, message }: StatusCause) => `${field}: ${message}`;
  errors.push(...own.sort((a, b) => (textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b)))));
}

function validateShape(
  schema: StructuralSchema,
  level: Level,
  path: string,
  errors: FieldErrors,
): void {
  const { type, items, properties } = schema;
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
  validateAdditionalProperties(schema, level, `${path}.additionalProperties`, errors);
  validateExtensions(schema, path, errors);
  validateNestedSchema(schema, path, errors);
  validateType(schema, level, path, errors);
  for (const key of isResource ? ["kind", "apiVersion"] : []) {
    const property = properties.get(key);
    if (property !== undefined && property.type !== "string") {
      const place = `${path}.properties[${key}].type`;
      errors.push(cause.invalid(place, property.type, "must be string"));
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

function validateAdditionalProperties(
  { additionalProperties, embeddedResource }: StructuralSchema,
  level: Level,
  path: string,
  errors: FieldErrors,
): void {
  if (additionalProperties === undefined) {
    return;
  }
  if (level === "root") {
    errors.push(cause.forbidden(path, "must not be used at the root"));
  }
  if (typeof additionalProperties === "object") {
    validateShape(additionalProperties, "field", path, errors);
  }
  if (embeddedResource) {
    const why = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(cause.forbidden(path, why));
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
  } else if (type === "" && !schema.intOrString && !schema.preserveUnknownFields) {
    errors.push(cause.required(at, levelNames[level]));
  } else if (level === "root" && type !== "" && type !== "object") {
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
  const names = Object.keys(isJsonObject(source["properties"]) ? source["properties"] : {});
  const onlyNames = names.every((name) => name === "name" || name === "generateName");
  const more = Object.keys(source).some((key) => !["type", "properties", "default"].includes(key));
  if (isResource && type !== "object") {
    errors.push(cause.invalid(`${path}.type`, type, "must be object"));
  }
  if (level === "root" && (!onlyNames || more)) {
    const why =
      "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(cause.forbidden(path, why));
  }
}

function validateExtensions(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const { intOrString, preserveUnknownFields, embeddedResource } = schema;
  const why = "must be false if x-kubernetes-int-or-string is true";
  if (intOrString && preserveUnknownFields) {
    errors.push(cause.invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, why));
  }
  if (intOrString && embeddedResource) {
    errors.push(cause.invalid(`${path}.x-kubernetes-embedded-resource`, true, why));
  }
}

const integerOrString = [{ type: "integer" }, { type: "string" }];

function isIntegerOrString(schemas: readonly StructuralSchema[]): boolean {
  return jsonEqual(
    schemas.map(({ source }) => source),
    integerOrString,
  );
}

/** Appends errors for constructs not allowed within `anyOf`, `allOf`, `oneOf` and `not`. */
function validateNestedSchema(schema: StructuralSchema, path: string, errors: FieldErrors): void {
  const { anyOf, allOf, oneOf, not } = schema;
  const [first, ...others] = allOf;
  const restrictions =
    first !== undefined && isIntegerOrString(first.anyOf)
      ? [{ ...first, anyOf: [] }, ...others]
      : allOf;
  if (!isIntegerOrString(anyOf)) {
    validateItems(anyOf, validateValueOnlySchema, `${path}.anyOf`, errors);
  }
  validateItems(restrictions, validateValueOnlySchema, `${path}.allOf`, errors);
  validateItems(oneOf, validateValueOnlySchema, `${path}.oneOf`, errors);
  if (not !== undefined) {
    validateValueOnlySchema(not, `${path}.not`, errors);
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
  validateNestedSchema(schema, path, errors);
  if (schema.items !== undefined) {
    validateValueOnlySchema(schema.items, `${path}.items`, errors);
  }
  for (const [name, property] of schema.properties) {
    validateValueOnlySchema(property, `${path}.properties[${name}]`, errors);
  }
  for (const [key, why] of forbiddenKeys) {
    if (isSet(schema.source, key)) {
      errors.push(cause.forbidden(`${path}.${key}`, why));
    }
  }
  if (schema.properties.has("metadata")) {
    const why = "must not be specified in a nested context";
    errors.push(cause.forbidden(`${path}.properties[metadata]`, why));
  }
}

function isSet(source: JsonObject, key: string): boolean {
  const value = source[key];
  const isEmpty = value === undefined || value === null || value === false || value === "";
  return !isEmpty && !(Array.isArray(value) && value.length === 0);
}

/** Appends errors for fields that restrictions mention but the shape does not define. */
function validateRestrictions(
  { not, allOf, anyOf, oneOf }: StructuralSchema,
  shape: StructuralSchema,
  shapePath: string,
  path: string,
  errors: FieldErrors,
): void {
  const validate: Check<StructuralSchema> = (nested, at, found) =>
    validateNamed(nested, shape, shapePath, at, found);
  if (not !== undefined) {
    validate(not, `${path}.not`, errors);
  }
  validateItems(allOf, validate, `${path}.allOf`, errors);
  validateItems(anyOf, validate, `${path}.anyOf`, errors);
  validateItems(oneOf, validate, `${path}.oneOf`, errors);
}

function validateNamed(
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
  validateRestrictions(nested, shape, shapePath, path, errors);
  if (nested.items !== undefined) {
    validateNamed(nested.items, shape.items, `${shapePath}.items`, `${path}.items`, errors);
  }
  for (const [name, property] of nested.properties) {
    const below = `properties[${name}]`;
    const inShape = shape.properties.get(name);
    validateNamed(property, inShape, `${shapePath}.${below}`, `${path}.${below}`, errors);
  }
}
