import type { FieldSchema } from "@typekube/api/schema";
import { timeProblem } from "@typekube/core/internal/go-time";
import { quantityProblem } from "@typekube/core/quantity";
import { illegalBase64At } from "../objects/base64.js";
import { isJsonObject, type JsonObject, mapItems, mapValues } from "../objects/json-value.js";
import { goPathOf } from "./go-paths.js";
import type { SchemaNode, StructNode } from "./schema-node.js";

/** An object as a typed server stores it. */
export interface Conformed {
  readonly object: JsonObject;
  /** Paths of the removed fields that the schema does not know. */
  readonly unknownFields: readonly string[];
}

/**
 * Decodes an object by its schema: unknown fields are removed, values of a wrong type are rejected. `null` in a field
 * counts as unset; in a map or list it becomes the zero value of its type, as in Go. Kinds without a schema are
 * returned unchanged.
 *
 * @param refuse - creates the error for an invalid object from Go's message.
 */
export function conform(
  object: JsonObject,
  node: SchemaNode,
  refuse: (why: string) => Error,
): Conformed {
  const unknownFields: string[] = [];
  const version = String(object["apiVersion"] ?? "v1").replace(/^.*\//, "");
  const visit = (value: unknown, at: SchemaNode, path: string, zero: unknown = null): unknown => {
    switch (at.form) {
      case "struct":
        return isJsonObject(value) ? struct(value, at, path) : value;
      case "map":
        return isJsonObject(value)
          ? mapValues(value, (item, key) => visit(item ?? zero, at.values, `${path}.${key}`))
          : value;
      case "list":
        return Array.isArray(value)
          ? mapItems(value, (item, index) => visit(item ?? zero, at.items, `${path}[${index}]`))
          : value;
      case "leaf":
      case "untyped":
        return value;
      default:
        return at satisfies never;
    }
  };
  const struct = (object: JsonObject, at: StructNode, path: string): JsonObject =>
    mapValues(object, (value, key) => {
      const fieldPath = path === "" ? key : `${path}.${key}`;
      const field = at.field(key);
      if (field === undefined) {
        if (path === "" && (key === "apiVersion" || key === "kind")) {
          return value;
        }
        unknownFields.push(fieldPath);
        return undefined;
      }
      if (value === null || value === undefined) {
        return undefined;
      }
      const mistake = typeMistake(value, field.schema, field.node);
      if (mistake !== undefined) {
        throw refuse(
          `json: cannot unmarshal ${mistake.found} into Go struct field ${at.typeName}.${goPathOf(node, fieldPath)} of type ${qualified(mistake.wanted, version)}`,
        );
      }
      assertFormat(value, field.schema, refuse);
      return visit(value, field.node, fieldPath, zeroOf(field.schema));
    });
  return { object: visit(object, node, "") as JsonObject, unknownFields };
}

/** Checks the format of a value. */
function assertFormat(
  value: unknown,
  { format, container }: FieldSchema,
  refuse: (why: string) => Error,
): void {
  switch (format) {
    case "byte":
      assertBase64(value, refuse);
      break;
    case "date-time":
    case "micro-time":
      assertTimes(value, format === "micro-time", refuse);
      break;
    case "quantity":
      assertQuantities(container === undefined ? [value] : Object.values(value as object), refuse);
      break;
    default:
  }
}

/** Checks the base64 of a value, or of the values in a list or map. */
function assertBase64(value: unknown, refuse: (why: string) => Error): void {
  for (const text of typeof value === "object" && value !== null ? Object.values(value) : [value]) {
    const at = typeof text === "string" ? illegalBase64At(text) : undefined;
    if (at !== undefined) {
      throw refuse(`illegal base64 data at input byte ${at}`);
    }
  }
}

function assertQuantities(quantities: readonly unknown[], refuse: (why: string) => Error): void {
  for (const quantity of quantities) {
    const isNone = quantity === null || quantity === undefined;
    const problem = isNone ? undefined : quantityProblem(quantity);
    if (problem !== undefined) {
      throw refuse(problem);
    }
  }
}

/** Checks a time, or the times in a list or map. */
function assertTimes(value: unknown, isMicro: boolean, refuse: (why: string) => Error): void {
  for (const time of typeof value === "object" && value !== null ? Object.values(value) : [value]) {
    const problem = typeof time === "string" ? timeProblem(time, isMicro) : undefined;
    if (problem !== undefined) {
      throw refuse(problem);
    }
  }
}

/**
 * Formats a Go type; struct names are prefixed with the package, which is named after the API version:
 * `[]v1.Container`.
 */
function qualified(type: string, version: string): string {
  return type
    .replace(/[^\]]*\//, "")
    .replace(/^((?:\[\]|map\[string\])*)([A-Z])/, `$1${version}.$2`);
}

/** Returns Go's zero value for a null in a map or list. */
function zeroOf({ type, format, valueList }: FieldSchema): unknown {
  if (valueList !== undefined) {
    return null;
  }
  if (format === "quantity") {
    return "0";
  }
  if (format === "int-or-string") {
    return 0;
  }
  switch (type) {
    case "string":
      return format === "date-time" || format === "micro-time" ? null : "";
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 0;
    case "any":
      return null;
    default:
      return {};
  }
}

/** A type error, with Go's names for both types. */
interface Mistake {
  readonly found: string;
  readonly wanted: string;
}

function typeMistake(value: unknown, schema: FieldSchema, node: SchemaNode): Mistake | undefined {
  if (node.form === "list") {
    return Array.isArray(value)
      ? itemsMistake(value, schema, node.items)
      : { found: jsonType(value), wanted: `[]${goType(schema)}` };
  }
  if (node.form === "map") {
    return isJsonObject(value)
      ? itemsMistake(Object.values(value), schema, node.values)
      : { found: jsonType(value), wanted: `map[string]${goType(schema)}` };
  }
  if (node.form === "struct") {
    return isJsonObject(value) ? undefined : { found: jsonType(value), wanted: schema.type };
  }
  return itemMistake(value, schema, node);
}

function itemsMistake(
  values: readonly unknown[],
  schema: FieldSchema,
  node: SchemaNode,
): Mistake | undefined {
  for (const value of values) {
    const mistake = itemMistake(value, schema, node);
    if (mistake !== undefined) {
      return mistake;
    }
  }
  return undefined;
}

function itemMistake(wrong: unknown, schema: FieldSchema, node: SchemaNode): Mistake | undefined {
  if (schema.valueList !== undefined && wrong !== null) {
    const { valueList, ...single } = schema;
    return Array.isArray(wrong)
      ? itemsMistake(wrong, single, node)
      : { found: jsonType(wrong), wanted: valueList };
  }
  const isRight =
    wrong === null ||
    wrong === undefined ||
    schema.format === "quantity" || // validated separately
    (node.form === "struct" ? isJsonObject(wrong) : fits(wrong, schema));
  if (isRight) {
    return undefined;
  }
  const isWhole = schema.type === "integer" || schema.format === "int-or-string";
  const isNumber = isWhole && ["bigint", "number"].includes(typeof wrong);
  return {
    found: isNumber ? `number ${String(wrong)}` : jsonType(wrong),
    wanted: goType(schema),
  };
}

function fits(value: unknown, { type, format }: FieldSchema): boolean {
  if (format === "int-or-string") {
    return typeof value === "string" || fits(value, { type: "integer", format: "int32" });
  }
  switch (type) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return typeof value === "bigint"
        ? BigInt.asIntN(format === "int32" ? 32 : 64, value) === value
        : Number.isInteger(value) && inRange(value as number, format);
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    default:
      return true;
  }
}

/**
 * Returns whether an integer is in range. Larger integers are decoded as `bigint`, unless written with a fraction or an
 * exponent.
 */
function inRange(value: number, format: string | undefined): boolean {
  return format === "int32" ? value === (value | 0) : Number.isSafeInteger(value);
}

function goType({ type, format }: FieldSchema): string {
  if (format === "int-or-string") {
    return "int32";
  }
  const names: Readonly<Record<string, string>> = { boolean: "bool", number: "float64" };
  return type === "integer" ? (format ?? "int64") : (names[type] ?? type);
}

/** Returns the type of a JSON value as named in Go's errors. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) {
    return "array";
  }
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
    case "number":
      return "number";
    case "string":
      return "string";
    default:
      return "object";
  }
}
