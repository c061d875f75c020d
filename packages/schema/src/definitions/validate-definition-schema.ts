import { cause, type FieldErrors, validateOneOf } from "@typekube/core/internal/field-errors";
import { jsonEqual } from "@typekube/core/internal/json";
import type { CompilePattern } from "../structural/compile-pattern.js";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { pruneValue } from "../values/prune.js";
import { validateValue } from "../values/validate-value.js";
import { validateExtensions } from "./validate-extensions.js";
import { validateStructuralSchema } from "./validate-shape.js";

const rootKeys: readonly string[] =
  "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations".split(
    " ",
  );
const rootFieldsText =
  "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

/** Options of `validateDefinitionSchema`. */
export interface DefinitionSchemaOptions {
  /** True if the version has the status subresource. */
  readonly hasStatus: boolean;
  /** Compiles the patterns of the schema. */
  readonly compilePattern: CompilePattern;
}

/** Appends the errors in the schema of a definition's version, except for those of its rules: `checkRules` finds these. */
export function validateDefinitionSchema(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
  { hasStatus, compilePattern }: DefinitionSchemaOptions,
): void {
  const { source } = schema;
  if (hasStatus && schema.type !== "object" && schema.type !== "") {
    const why = `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`;
    errors.push(cause.invalid(`${path}.type`, schema.type, why));
  } else if (hasStatus && Object.keys(source).some((key) => !rootKeys.includes(key))) {
    const why = `only ${rootFieldsText} fields are allowed at the root of the schema if the status subresource is enabled`;
    errors.push(cause.invalid(path, source, why));
  }
  if (schema.nullable) {
    errors.push(cause.forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  }
  const count = errors.length;
  validateStructuralSchema(schema, path, errors, compilePattern);
  if (errors.length === count) {
    validateDefaults(schema, path, errors, { compilePattern, isRoot: true });
  }
  validateOpenApi(schema, path, errors, { isRoot: true });
}

interface DefaultsContext {
  readonly compilePattern: CompilePattern;
  readonly isRoot: boolean;
}

/** Checks that defaults fit their schema. Defaults inside metadata are rejected elsewhere. */
function validateDefaults(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
  { compilePattern, isRoot }: DefaultsContext,
): void {
  const below: DefaultsContext = { compilePattern, isRoot: false };
  if (schema.default !== undefined) {
    const at = `${path}.default`;
    if (!jsonEqual(pruneValue(schema.default, schema), schema.default)) {
      errors.push(cause.invalid(at, schema.default, "must not have unknown fields"));
    }
    validateValue(schema.default, schema, errors, { root: at, compilePattern });
  }
  if (schema.items !== undefined) {
    validateDefaults(schema.items, `${path}.items`, errors, below);
  }
  for (const [name, property] of schema.properties) {
    if (!isRoot || !metaFields.has(name)) {
      validateDefaults(property, `${path}.properties[${name}]`, errors, below);
    }
  }
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
const compositions = ["allOf", "oneOf", "anyOf"] as const;
const unusual: ReadonlySet<string> = new Set([...unsupported, "uniqueItems"]);

interface Surroundings {
  readonly isRoot?: boolean;
  /** Reason why a default is not allowed here. */
  readonly noDefaults?: string | undefined;
}

/** Appends errors for schema features that OpenAPI or the server does not allow, here and below. */
function validateOpenApi(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
  { isRoot = false, noDefaults }: Surroundings,
): void {
  const { source, type, properties, additionalProperties } = schema;
  validateOneOf(type, types, `${path}.type`, errors);
  if (schema.default !== undefined && noDefaults !== undefined) {
    errors.push(cause.forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  }
  // Most schemas have none of these keywords, and looking for each of them takes long.
  const keys = Object.keys(source);
  const isPlain = !keys.some((key) => unusual.has(key));
  for (const key of isPlain ? [] : unsupported) {
    if (source[key] !== undefined) {
      errors.push(cause.forbidden(`${path}.${key}`, `${key} is not supported`));
    }
  }
  if (type === "null") {
    const why = "type cannot be set to null, use nullable as an alternative";
    errors.push(cause.forbidden(`${path}.type`, why));
  }
  if (schema.items === undefined && Array.isArray(source["items"])) {
    const why = "items must be a schema object and not an array";
    errors.push(cause.forbidden(`${path}.items`, why));
  }
  if (!isPlain && source["uniqueItems"] === true) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(cause.forbidden(`${path}.uniqueItems`, why));
  }
  if (additionalProperties !== undefined && additionalProperties !== true && properties.size > 0) {
    const why = "additionalProperties and properties are mutual exclusive";
    errors.push(cause.forbidden(`${path}.additionalProperties`, why));
  }
  const below: Surroundings = { noDefaults };
  if (typeof additionalProperties === "object") {
    validateOpenApi(additionalProperties, `${path}.additionalProperties`, errors, below);
  }
  for (const [name, property] of properties) {
    const inMeta = isRoot && metaFields.has(name) ? { noDefaults: `in top-level ${name}` } : below;
    validateOpenApi(property, `${path}.properties[${name}]`, errors, inMeta);
  }
  if (schema.not !== undefined) {
    validateOpenApi(schema.not, `${path}.not`, errors, below);
  }
  for (const key of compositions) {
    for (const [at, one] of schema[key].entries()) {
      validateOpenApi(one, `${path}.${key}[${at}]`, errors, below);
    }
  }
  if (schema.items !== undefined) {
    validateOpenApi(schema.items, `${path}.items`, errors, below);
  }
  if (keys.some((key) => key.startsWith("x-kubernetes-"))) {
    validateExtensions(schema, path, errors);
  }
}
