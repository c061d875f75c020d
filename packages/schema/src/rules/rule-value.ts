import { CelDouble, CelFailure, type CelResult } from "@typekube/cel";
import { isJsonObject } from "@typekube/core/internal/json";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { readByteFormat } from "./byte-format.js";
import { withTypeAndMetadata } from "./resource-root.js";
import { MapList, PlainList, SetList } from "./rule-lists.js";
import { RuleObject } from "./rule-object.js";
import { readDateFormat, readDateTimeFormat, readDurationFormat } from "./text-formats.js";

/**
 * Converts a value of a custom resource to the value that rules see, by its schema: a 1 is a double where the schema says
 * `type: number`, a text is a timestamp where its format is `date-time`. Parts are converted when they are read.
 */
export function ruleValue(value: unknown, schema: StructuralSchema): CelResult {
  if (value === null || value === undefined) {
    return schema.nullable
      ? null
      : new CelFailure("invalid data, got null for schema with nullable=false");
  }
  if (schema.intOrString) {
    return typeof value === "string" || isInteger(value)
      ? value
      : wrong("XIntOrString value to be either a string or integer");
  }
  switch (schema.type) {
    case "object":
      return isJsonObject(value)
        ? new RuleObject(
            value,
            schema.embeddedResource ? withTypeAndMetadata(schema) : schema,
            ruleValue,
          )
        : wrong("a map for the provided schema with type=object");
    case "array":
      return Array.isArray(value)
        ? listOf(value, schema)
        : wrong("an array for the provided schema with type=array");
    case "string":
      return typeof value === "string" ? textOf(value, schema) : wrong("string");
    case "number":
      return typeof value === "number" || typeof value === "bigint"
        ? new CelDouble(Number(value))
        : wrong("float");
    case "integer":
      return isInteger(value) ? value : wrong("int");
    case "boolean":
      return typeof value === "boolean" ? value : wrong("bool");
    default:
      return new CelFailure(`invalid type ${JSON.stringify(schema.type)}`);
  }
}

function isInteger(value: unknown): value is number | bigint {
  return Number.isSafeInteger(value) || typeof value === "bigint";
}

function wrong(expected: string): CelFailure {
  return new CelFailure(`invalid data, expected ${expected}`);
}

function listOf(values: readonly unknown[], schema: StructuralSchema): CelResult {
  const { items, listType, listMapKeys } = schema;
  if (items === undefined) {
    return new CelFailure("invalid array type, expected Items with a non-empty Schema");
  }
  switch (listType) {
    case "map":
      return new MapList(values, items, ruleValue, listMapKeys);
    case "set":
      return new SetList(values, items, ruleValue);
    default:
      return new PlainList(values, items, ruleValue);
  }
}

function textOf(text: string, { source }: StructuralSchema): CelResult {
  switch (source["format"]) {
    case "duration":
      return (
        readDurationFormat(text) ??
        new CelFailure(`Invalid duration ${text}: unable to parse ${text} as duration`)
      );
    case "date":
      return readDateFormat(text) ?? new CelFailure(`Invalid date formatted string ${text}`);
    case "date-time":
      return (
        readDateTimeFormat(text) ?? new CelFailure(`Invalid date-time formatted string ${text}`)
      );
    case "byte":
      return bytesOf(text);
    default:
      return text;
  }
}

function bytesOf(text: string): CelResult {
  const bytes = readByteFormat(text);
  return bytes instanceof Uint8Array
    ? bytes
    : new CelFailure(
        `Invalid byte formatted string ${text}: illegal base64 data at input byte ${bytes.wrongAt}`,
      );
}
