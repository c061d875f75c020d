import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/status-errors.js";
import { jsonEqual } from "../objects/json-value.js";
import { pruneValue } from "../schema/structural/prune.js";
import type { StructuralSchema } from "../schema/structural/structural-schema.js";
import { validateValue } from "../schema/structural/validate-value.js";
import { validateListType } from "./validate-list-type.js";
import { validateStructuralSchema } from "./validate-structural.js";

const rootKeys: readonly string[] =
  "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations".split(
    " ",
  );
const rootFieldsText =
  "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

/** Returns the errors in the schema of a definition's version. */
export function validateSchemaDefinition(
  schema: StructuralSchema,
  path: string,
  hasStatus: boolean,
): StatusCause[] {
  const rootErrors: StatusCause[] = [];
  const { source } = schema;
  if (hasStatus && schema.type !== "object" && schema.type !== "") {
    const why = `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`;
    rootErrors.push(cause.invalid(`${path}.type`, schema.type, why));
  } else if (hasStatus && Object.keys(source).some((key) => !rootKeys.includes(key))) {
    const why = `only ${rootFieldsText} fields are allowed at the root of the schema if the status subresource is enabled`;
    rootErrors.push(cause.invalid(path, source, why));
  }
  if (schema.nullable) {
    rootErrors.push(cause.forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  }
  const structural = validateStructuralSchema(schema, path);
  return [
    ...rootErrors,
    ...(structural.length > 0 ? structural : validateDefault(schema, path)),
    ...validateOpenApi(schema, path, { isRoot: true }),
  ];
}

/** Checks that defaults fit their schema. Defaults inside metadata are rejected elsewhere. */
function validateDefault(schema: StructuralSchema, path: string, isRoot = true): StatusCause[] {
  const causes: StatusCause[] = [];
  const at = `${path}.default`;
  if (schema.default !== undefined) {
    if (!jsonEqual(pruneValue(schema.default, schema), schema.default)) {
      causes.push(cause.invalid(at, schema.default, "must not have unknown fields"));
    }
    causes.push(...validateValue(schema.default, schema, { root: at }));
  }
  if (schema.items !== undefined) {
    causes.push(...validateDefault(schema.items, `${path}.items`, false));
  }
  for (const [name, property] of schema.properties) {
    if (!isRoot || !metaFields.has(name)) {
      causes.push(...validateDefault(property, `${path}.properties[${name}]`, false));
    }
  }
  return causes;
}

const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
const types = ["array", "boolean", "integer", "number", "object", "string"];
const unsupported = [
  "id",
  "additionalItems",
  "patternProperties",
  "definitions",
  "dependencies",
  "$ref",
] as const;

interface Surroundings {
  readonly isRoot?: boolean;
  /** Reason why a default is not allowed here. */
  readonly noDefaults?: string | undefined;
}

/** Returns errors for schema features that OpenAPI or the server does not allow, here and below. */
function validateOpenApi(
  schema: StructuralSchema,
  path: string,
  { isRoot = false, noDefaults }: Surroundings,
): StatusCause[] {
  const { source, type, properties, additionalProperties } = schema;
  const causes: StatusCause[] = [];
  if (type !== "" && !types.includes(type)) {
    causes.push(cause.notSupported(`${path}.type`, type, types));
  }
  if (schema.default !== undefined && noDefaults !== undefined) {
    causes.push(cause.forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  }
  for (const key of unsupported) {
    if (source[key] !== undefined) {
      causes.push(cause.forbidden(`${path}.${key}`, `${key} is not supported`));
    }
  }
  if (type === "null") {
    const why = "type cannot be set to null, use nullable as an alternative";
    causes.push(cause.forbidden(`${path}.type`, why));
  }
  if (Array.isArray(source["items"])) {
    const why = "items must be a schema object and not an array";
    causes.push(cause.forbidden(`${path}.items`, why));
  }
  if (source["uniqueItems"] === true) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    causes.push(cause.forbidden(`${path}.uniqueItems`, why));
  }
  if (additionalProperties !== undefined && additionalProperties !== true && properties.size > 0) {
    const why = "additionalProperties and properties are mutual exclusive";
    causes.push(cause.forbidden(`${path}.additionalProperties`, why));
  }
  const below: Surroundings = { noDefaults };
  if (typeof additionalProperties === "object") {
    causes.push(...validateOpenApi(additionalProperties, `${path}.additionalProperties`, below));
  }
  for (const [name, property] of properties) {
    const inMeta = isRoot && metaFields.has(name) ? { noDefaults: `in top-level ${name}` } : below;
    causes.push(...validateOpenApi(property, `${path}.properties[${name}]`, inMeta));
  }
  if (schema.not !== undefined) {
    causes.push(...validateOpenApi(schema.not, `${path}.not`, below));
  }
  for (const key of ["allOf", "oneOf", "anyOf"] as const) {
    for (const [at, one] of schema[key].entries()) {
      causes.push(...validateOpenApi(one, `${path}.${key}[${at}]`, below));
    }
  }
  if (schema.items !== undefined) {
    causes.push(...validateOpenApi(schema.items, `${path}.items`, below));
  }
  return [...causes, ...validateListType(schema, path)];
}
