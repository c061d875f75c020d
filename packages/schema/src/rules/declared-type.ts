import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  StructType,
  stringType,
  timestampType,
} from "@typekube/cel";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { escapeFieldName, isReservedWord } from "./field-names.js";
import { withTypeAndMetadata } from "./resource-root.js";

/** Largest request to a server in bytes, which bounds what has no other bound. */
export const maxRequestBytes = 3_145_728;

/** Name of the type of `self` if it is an object; Kubernetes adds a number that changes, so that no rule depends on it. */
export const selfTypeName: string = "selfType1";

/** A place in a custom resource as rules see it: its type and the sizes that it can have. */
export interface DeclaredType {
  readonly type: CelType;
  /** Most elements, entries or characters that a value can have; 0 for values of one size. */
  readonly maxElements: number;
  /** Fewest bytes of a value as JSON. */
  readonly minBytes: number;
  /** Fields of an object by the names that rules use. */
  readonly fields: ReadonlyMap<string, DeclaredType> | undefined;
  /** Elements of a list or values of a map. */
  readonly element: DeclaredType | undefined;
  readonly isMap: boolean;
}

/**
 * Returns the type that rules see for a schema. Follows k8s.io/apiserver/pkg/cel/common `SchemaDeclType`.
 *
 * @param name - Name of the type if it is an object; nested objects are named after it.
 * @param isResourceRoot - True for the root of a custom resource or of an embedded one.
 * @returns `undefined` for a schema whose values rules cannot see: one without a type.
 */
export function declaredType(
  schema: StructuralSchema,
  name: string,
  isResourceRoot: boolean,
): DeclaredType | undefined {
  if (schema.intOrString) {
    return simple(dynType, 1, characters(schema) ?? maxRequestBytes - 2);
  }
  const visible = isResourceRoot ? withTypeAndMetadata(schema) : schema;
  switch (visible.type) {
    case "array":
      return arrayType(visible, name);
    case "object":
      return typeof visible.additionalProperties === "object"
        ? mapOf(visible, visible.additionalProperties, name)
        : objectOf(visible, name);
    case "string":
      return textType(visible);
    case "boolean":
      return simple(boolType, 4, 0);
    case "number":
      return simple(doubleType, 1, 0);
    case "integer":
      return simple(intType, 1, 0);
    default:
      return undefined;
  }
}

function simple(type: CelType, minBytes: number, maxElements: number): DeclaredType {
  return { type, minBytes, maxElements, fields: undefined, element: undefined, isMap: false };
}

function arrayType(schema: StructuralSchema, name: string): DeclaredType | undefined {
  const { items } = schema;
  const element =
    items === undefined ? undefined : declaredType(items, `${name}.@idx`, items.embeddedResource);
  if (element === undefined) {
    return undefined;
  }
  // Two bytes for the brackets, one for each comma.
  const byRequest = Math.floor((maxRequestBytes - 2) / (element.minBytes + 1));
  return {
    ...simple(listType(element.type), 2, bound(schema, "maxItems") ?? byRequest),
    element,
  };
}

function mapOf(
  schema: StructuralSchema,
  values: StructuralSchema,
  name: string,
): DeclaredType | undefined {
  const element = declaredType(values, `${name}.@elem`, values.embeddedResource);
  if (element === undefined) {
    return undefined;
  }
  // Six bytes for a key, its quotes, the colon and the comma.
  const byRequest = Math.floor((maxRequestBytes - 2) / (element.minBytes + 6));
  return {
    ...simple(mapType(stringType, element.type), 2, bound(schema, "maxProperties") ?? byRequest),
    element,
    isMap: true,
  };
}

function objectOf(schema: StructuralSchema, name: string): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minBytes = 2;
  for (const [key, property] of schema.properties) {
    const escaped = escapeFieldName(key);
    const field = declaredType(property, `${name}.${escaped ?? key}`, property.embeddedResource);
    if (field === undefined) {
      continue;
    }
    if (escaped !== undefined) {
      fields.set(escaped, field);
    }
    if (schema.required.includes(key) && property.default === undefined) {
      minBytes += new TextEncoder().encode(key).length + field.minBytes + 4;
    }
  }
  const types = new Map([...fields].map(([key, { type }]) => [key, type]));
  for (const [key, { type }] of fields) {
    const word = key.slice(2, -2);
    if (isReservedWord(word) && key === `__${word}__` && !types.has(word)) {
      // `self.namespace` works as well as `self.__namespace__`.
      types.set(word, type);
    }
  }
  return { ...simple(new StructType(name, types), minBytes, 0), fields };
}

function textType(schema: StructuralSchema): DeclaredType {
  switch (schema.source["format"]) {
    case "byte":
      return simple(bytesType, 2, bound(schema, "maxLength") ?? maxRequestBytes - 2);
    case "duration":
      return simple(durationType, 3, 32);
    case "date":
      return simple(timestampType, 12, 12);
    case "date-time":
      return simple(timestampType, 21, 32);
    default:
      return simple(
        stringType,
        2,
        characters(schema) ?? longestEnum(schema) ?? maxRequestBytes - 2,
      );
  }
}

/** A character takes up to four bytes, by which sizes are counted. */
function characters(schema: StructuralSchema): number | undefined {
  const length = bound(schema, "maxLength");
  return length === undefined ? undefined : length * 4;
}

function longestEnum({ source }: StructuralSchema): number | undefined {
  const values: unknown = source["enum"];
  if (!Array.isArray(values) || values.length === 0) {
    return undefined;
  }
  const lengths = values.map((value: unknown) =>
    typeof value === "string" ? new TextEncoder().encode(value).length : 0,
  );
  return Math.max(...lengths);
}

function bound({ source }: StructuralSchema, keyword: string): number | undefined {
  const value = source[keyword];
  return typeof value === "number" || typeof value === "bigint"
    ? Math.max(Number(value), 0)
    : undefined;
}
