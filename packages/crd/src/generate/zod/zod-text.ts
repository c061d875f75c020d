import type { StructuralSchema } from "@typekube/schema";
import { indented, literal, stringLiteral, valueKey } from "../text/source-text.js";
import { zodMeta } from "./zod-meta.js";

/** Parts that the text of a schema depends on. */
export interface ZodContext {
  readonly int64: "bigint" | "number";
  /** Returns the constant of a component of an OpenAPI document; `undefined` if the document lacks it. */
  componentName(component: string): string | undefined;
}

/**
 * Returns a schema as an expression of zod.
 *
 * @param given - expressions of properties that are known otherwise, by name.
 */
export function zodText(
  schema: StructuralSchema,
  context: ZodContext,
  given: ReadonlyMap<string, string> = new Map(),
): string {
  const reference = schema.source["$ref"] ?? schema.allOf[0]?.source["$ref"];
  if (typeof reference === "string") {
    return context.componentName(reference.split("/").at(-1) ?? "") ?? "z.unknown()";
  }
  const { text, used } = valueText(schema, context, given);
  const meta = zodMeta(schema, used);
  const described = meta === undefined ? text : `${text}.meta(${meta})`;
  return schema.nullable ? `${described}.nullable()` : described;
}

/** The expression of a value, and the keywords that it expresses. */
interface ValueText {
  readonly text: string;
  readonly used: readonly string[];
}

function valueText(
  schema: StructuralSchema,
  context: ZodContext,
  given: ReadonlyMap<string, string>,
): ValueText {
  const { source, type } = schema;
  const values = source["enum"];
  if (schema.intOrString) {
    return { text: "z.union([z.int(), z.string()])", used: ["anyOf"] };
  }
  if (Array.isArray(values) && values.length > 0 && type !== "object" && type !== "array") {
    return { text: enumText(values), used: ["enum"] };
  }
  switch (type) {
    case "string":
      return stringText(source);
    case "boolean":
      return { text: "z.boolean()", used: [] };
    case "number":
      return numberText("z.number()", source);
    case "integer":
      return integerText(source, context);
    case "array": {
      const items = schema.items === undefined ? "z.unknown()" : zodText(schema.items, context);
      return called(`z.array(${items})`, source, [
        ["minItems", "min"],
        ["maxItems", "max"],
      ]);
    }
    default:
      return type === "object" || schema.properties.size > 0 || schema.embeddedResource
        ? { text: objectText(schema, context, given), used: [] }
        : { text: "z.unknown()", used: [] };
  }
}

function enumText(values: readonly unknown[]): string {
  return values.every((value) => typeof value === "string")
    ? `z.enum(${literal(values)})`
    : `z.literal(${literal(values, "exact")})`;
}

function stringText(source: Readonly<Record<string, unknown>>): ValueText {
  const { text, used } = called("z.string()", source, [
    ["minLength", "min"],
    ["maxLength", "max"],
  ]);
  const { pattern } = source;
  return typeof pattern === "string" && isRegExp(pattern)
    ? { text: `${text}.regex(new RegExp(${stringLiteral(pattern)}))`, used: [...used, "pattern"] }
    : { text, used };
}

/** Returns whether JavaScript reads a pattern of RE2: flags such as `(?i)` stay in the metadata. */
function isRegExp(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

function integerText(source: Readonly<Record<string, unknown>>, { int64 }: ZodContext): ValueText {
  if (source["format"] === "int32") {
    const { text, used } = numberText("z.int32()", source);
    return { text, used: [...used, "format"] };
  }
  const { text, used } = numberText("z.int()", source);
  return { text: int64 === "bigint" ? `z.union([${text}, z.bigint()])` : text, used };
}

function numberText(start: string, source: Readonly<Record<string, unknown>>): ValueText {
  const lower = source["exclusiveMinimum"] === true ? "gt" : "min";
  const upper = source["exclusiveMaximum"] === true ? "lt" : "max";
  const { text, used } = called(start, source, [
    ["minimum", lower],
    ["maximum", upper],
    ["multipleOf", "multipleOf"],
  ]);
  return { text, used: [...used, "exclusiveMinimum", "exclusiveMaximum"] };
}

/** Calls a method for each keyword that has a number. */
function called(
  start: string,
  source: Readonly<Record<string, unknown>>,
  methods: readonly (readonly [keyword: string, method: string])[],
): ValueText {
  const given = methods.filter(([keyword]) => typeof source[keyword] === "number");
  return {
    text: `${start}${given.map(([keyword, method]) => `.${method}(${source[keyword]})`).join("")}`,
    used: given.map(([keyword]) => keyword),
  };
}

function objectText(
  schema: StructuralSchema,
  context: ZodContext,
  given: ReadonlyMap<string, string>,
): string {
  const { properties, additionalProperties, preserveUnknownFields, embeddedResource } = schema;
  if (properties.size === 0 && !embeddedResource && typeof additionalProperties === "object") {
    return `z.record(z.string(), ${zodText(additionalProperties, context)})`;
  }
  const required = new Set([schema, ...schema.allOf].flatMap((one) => one.required));
  const names = [...new Set([...given.keys(), ...properties.keys()])].sort();
  const fields = names.map((name) => {
    const property = properties.get(name);
    const text =
      given.get(name) ??
      (property === undefined ? "z.unknown()" : zodText(property, contextOf(property, context)));
    return `  ${valueKey(name)}: ${indented(text, "  ").trimStart()}${presence(property, required.has(name))},\n`;
  });
  const isLoose = preserveUnknownFields || embeddedResource || additionalProperties !== undefined;
  const shape = fields.length === 0 ? "{}" : `{\n${fields.join("")}}`;
  return `z.${isLoose ? "looseObject" : "object"}(${shape})`;
}

/** A default beyond 2^53 is a `bigint`, which the schema has to accept also where integers are numbers. */
function contextOf(property: StructuralSchema, context: ZodContext): ZodContext {
  return holdsBigint(property.default) ? { ...context, int64: "bigint" } : context;
}

function holdsBigint(value: unknown): boolean {
  return typeof value === "object" && value !== null
    ? Object.values(value).some(holdsBigint)
    : typeof value === "bigint";
}

/** Returns the call for a field that may be missing: servers apply its default, and then the defaults inside of it. */
function presence(property: StructuralSchema | undefined, isRequired: boolean): string {
  if (property?.default !== undefined) {
    return `.prefault(${literal(property.default, "exact")})`;
  }
  return isRequired ? "" : ".optional()";
}
