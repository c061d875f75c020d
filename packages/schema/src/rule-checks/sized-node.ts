import { unescapeFieldName } from "../rules/field-names.js";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** The keywords that bound the size of a value. */
export type BoundKeyword = "maxItems" | "maxLength" | "maxProperties";

/** A place of a schema whose values can have different sizes: a list, a map or a string. */
export interface SizedNode {
  /** Path of the values in an object, for example `spec.rules[*].matches`. */
  readonly path: string;
  /** The keyword that bounds the size here. */
  readonly keyword: BoundKeyword;
  /** The bound of the schema; `undefined` without one. */
  readonly bound: bigint | undefined;
  /** Size units of one element, entry or character: a character takes up to four bytes, by which sizes are counted. */
  readonly weight: bigint;
}

/** Formats whose values have a bounded length, whatever the schema says. */
const fixedFormats: ReadonlySet<unknown> = new Set(["date", "date-time", "duration"]);

/** Returns the node of a schema, `undefined` for values that all have about one size. */
export function sizedNode(schema: StructuralSchema, path: string): SizedNode | undefined {
  const keyword = keywordOf(schema);
  return keyword === undefined
    ? undefined
    : {
        path,
        keyword,
        bound: readBound(schema.source[keyword]),
        weight: keyword === "maxLength" && schema.source["format"] !== "byte" ? 4n : 1n,
      };
}

/**
 * Returns the node that an expression reads.
 *
 * @param schema - The schema of `self`.
 * @param path - Path of `self` in an object.
 * @param steps - The way from `self`: names of fields as rules write them, "@items" or "@values".
 */
export function sizedNodeAt(
  schema: StructuralSchema,
  path: string,
  steps: readonly string[],
): SizedNode | undefined {
  let [current, at] = [schema, path];
  for (const step of steps) {
    const isElement = step === "@items" || step === "@values";
    const name: string = isElement ? "" : (unescapeFieldName(step) ?? "");
    const next: StructuralSchema | undefined = isElement
      ? elementOf(current)
      : current.properties.get(name);
    if (next === undefined) {
      return undefined;
    }
    [current, at] = [next, isElement ? `${at}[*]` : fieldPath(at, name)];
  }
  return sizedNode(current, at);
}

/** Returns the path of a field of the values at a path. */
export function fieldPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function elementOf({
  items,
  additionalProperties,
}: StructuralSchema): StructuralSchema | undefined {
  return items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}

/** Returns the factor by which a list or a map multiplies the values inside; `undefined` without a bound. */
export function growthOf(schema: StructuralSchema): bigint | undefined {
  const { type, source, additionalProperties } = schema;
  if (type === "object" && additionalProperties !== undefined && additionalProperties !== false) {
    return readBound(source["maxProperties"]);
  }
  return type === "array" ? readBound(source["maxItems"]) : 1n;
}

function keywordOf(schema: StructuralSchema): BoundKeyword | undefined {
  if (schema.intOrString) {
    return "maxLength";
  }
  switch (schema.type) {
    case "array":
      return "maxItems";
    case "object":
      return typeof schema.additionalProperties === "object" ? "maxProperties" : undefined;
    case "string":
      return hasOwnSize(schema) ? undefined : "maxLength";
    default:
      return undefined;
  }
}

/** Returns true for a string that an enumeration or its format bounds. */
function hasOwnSize({ source }: StructuralSchema): boolean {
  return (
    fixedFormats.has(source["format"]) ||
    (Array.isArray(source["enum"]) && source["enum"].length > 0)
  );
}

function readBound(value: unknown): bigint | undefined {
  return typeof value === "number" || typeof value === "bigint"
    ? BigInt(Math.max(Number(value), 0))
    : undefined;
}
