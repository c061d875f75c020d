import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../objects/json-value.js";
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
export function validateStructuralSchema(schema: StructuralSchema, path: string): StatusCause[] {
  const all = [...validateShape(schema, "root", path), ...incomplete(schema, schema, path, path)];
  const text = ({ field, message }: StatusCause) => `${field}: ${message}`;
  return all.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

function validateShape(schema: StructuralSchema, level: Level, path: string): StatusCause[] {
  const { type, items, properties, additionalProperties } = schema;
  const isResource = level === "root" || schema.embeddedResource;
  const causes: StatusCause[] = [];
  if (type === "array" && items === undefined) {
    causes.push(cause.required(`${path}.items`, "must be specified"));
  }
  if (items !== undefined) {
    causes.push(...validateShape(items, "item", `${path}.items`));
  }
  for (const [name, property] of properties) {
    causes.push(...validateShape(property, "field", `${path}.properties[${name}]`));
  }
  if (additionalProperties !== undefined) {
    const at = `${path}.additionalProperties`;
    if (level === "root") {
      causes.push(cause.forbidden(at, "must not be used at the root"));
    }
    if (typeof additionalProperties === "object") {
      causes.push(...validateShape(additionalProperties, "field", at));
    }
    if (schema.embeddedResource) {
      const why = "must not be used if x-kubernetes-embedded-resource is set";
      causes.push(cause.forbidden(at, why));
    }
  }
  causes.push(...validateExtensions(schema, path), ...validateNestedSchema(schema, path));
  causes.push(...validateType(schema, level, path));
  for (const key of isResource ? ["kind", "apiVersion"] : []) {
    const property = properties.get(key);
    if (property !== undefined && property.type !== "string") {
      causes.push(
        cause.invalid(`${path}.properties[${key}].type`, property.type, "must be string"),
      );
    }
  }
  const metadata = properties.get("metadata");
  if (metadata !== undefined) {
    causes.push(...validateMetadata(metadata, isResource, level, `${path}.properties[metadata]`));
  }
  if (schema.embeddedResource && !schema.preserveUnknownFields && properties.size === 0) {
    const why =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    causes.push(cause.required(`${path}.properties`, why));
  }
  return causes;
}

function validateType(schema: StructuralSchema, level: Level, path: string): StatusCause[] {
  const { type } = schema;
  const at = `${path}.type`;
  if (schema.embeddedResource && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    return [type === "" ? cause.required(at, why) : cause.invalid(at, type, why)];
  }
  if (type === "" && !schema.intOrString && !schema.preserveUnknownFields) {
    return [cause.required(at, levelNames[level])];
  }
  return level === "root" && type !== "" && type !== "object"
    ? [cause.invalid(at, type, "must be object at the root")]
    : [];
}

function validateMetadata(
  { type, source }: StructuralSchema,
  isResource: boolean,
  level: Level,
  path: string,
): StatusCause[] {
  const wrongType = isResource && type !== "object";
  const names = Object.keys(isJsonObject(source["properties"]) ? source["properties"] : {});
  const onlyNames = names.every((name) => name === "name" || name === "generateName");
  const more = Object.keys(source).some((key) => !["type", "properties", "default"].includes(key));
  const why =
    "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return [
    ...(wrongType ? [cause.invalid(`${path}.type`, type, "must be object")] : []),
    ...(level === "root" && (!onlyNames || more) ? [cause.forbidden(path, why)] : []),
  ];
}

function validateExtensions(schema: StructuralSchema, path: string): StatusCause[] {
  const why = "must be false if x-kubernetes-int-or-string is true";
  const clash = (key: string, isSet: boolean) =>
    schema.intOrString && isSet ? [cause.invalid(`${path}.${key}`, true, why)] : [];
  return [
    ...clash("x-kubernetes-preserve-unknown-fields", schema.preserveUnknownFields),
    ...clash("x-kubernetes-embedded-resource", schema.embeddedResource),
  ];
}

const integerOrString = [{ type: "integer" }, { type: "string" }];

function isIntegerOrString(schemas: readonly StructuralSchema[]): boolean {
  return jsonEqual(
    schemas.map(({ source }) => source),
    integerOrString,
  );
}

/** Returns errors for constructs not allowed within `anyOf`, `allOf`, `oneOf` and `not`, and for an invalid pattern. */
function validateNestedSchema(schema: StructuralSchema, path: string): StatusCause[] {
  const { anyOf, allOf, oneOf, not, source } = schema;
  const causes: StatusCause[] = [];
  if (!isIntegerOrString(anyOf)) {
    causes.push(
      ...anyOf.flatMap((one, at) => validateValueOnlySchema(one, `${path}.anyOf[${at}]`)),
    );
  }
  allOf.forEach((one, at) => {
    const isException = at === 0 && isIntegerOrString(one.anyOf);
    const checked = isException ? { ...one, anyOf: [] } : one;
    causes.push(...validateValueOnlySchema(checked, `${path}.allOf[${at}]`));
  });
  causes.push(...oneOf.flatMap((one, at) => validateValueOnlySchema(one, `${path}.oneOf[${at}]`)));
  if (not !== undefined) {
    causes.push(...validateValueOnlySchema(not, `${path}.not`));
  }
  const { pattern } = source;
  const compiled = typeof pattern === "string" && pattern !== "" ? compileRe2(pattern) : {};
  if ("problem" in compiled) {
    const why = `must be a valid regular expression, but isn't: ${compiled.problem}`;
    causes.push(cause.invalid(`${path}.pattern`, pattern, why));
  }
  return causes;
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

function validateValueOnlySchema(schema: StructuralSchema, path: string): StatusCause[] {
  const causes = validateNestedSchema(schema, path);
  if (schema.items !== undefined) {
    causes.push(...validateValueOnlySchema(schema.items, `${path}.items`));
  }
  for (const [name, property] of schema.properties) {
    causes.push(...validateValueOnlySchema(property, `${path}.properties[${name}]`));
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
  return causes;
}

function isSet(source: JsonObject, key: string): boolean {
  const value = source[key];
  const isEmpty = value === undefined || value === null || value === false || value === "";
  return !isEmpty && !(Array.isArray(value) && value.length === 0);
}

/** Returns errors for fields that restrictions mention but the shape does not define. */
function incomplete(
  restriction: StructuralSchema,
  shape: StructuralSchema | undefined,
  shapePath: string,
  path: string,
): StatusCause[] {
  const groups = [
    ...(restriction.not === undefined ? [] : [[restriction.not, `${path}.not`] as const]),
    ...restriction.allOf.map((one, at) => [one, `${path}.allOf[${at}]`] as const),
    ...restriction.anyOf.map((one, at) => [one, `${path}.anyOf[${at}]`] as const),
    ...restriction.oneOf.map((one, at) => [one, `${path}.oneOf[${at}]`] as const),
  ];
  return groups.flatMap(([nested, at]) => unnamed(nested, shape, shapePath, at));
}

function unnamed(
  nested: StructuralSchema,
  shape: StructuralSchema | undefined,
  shapePath: string,
  path: string,
): StatusCause[] {
  if (shape === undefined) {
    return [cause.required(shapePath, `because it is defined in ${path}`)];
  }
  const properties = [...nested.properties].flatMap(([name, property]) =>
    unnamed(
      property,
      shape.properties.get(name),
      `${shapePath}.properties[${name}]`,
      `${path}.properties[${name}]`,
    ),
  );
  const items =
    nested.items === undefined
      ? []
      : unnamed(nested.items, shape.items, `${shapePath}.items`, `${path}.items`);
  return [...incomplete(nested, shape, shapePath, path), ...items, ...properties];
}
