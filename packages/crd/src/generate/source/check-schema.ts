import type { JsonObject } from "@typekube/core/internal";
import { collectErrors } from "@typekube/core/internal/field-errors";
import { readStructuralSchema, validateDefinitionSchema } from "@typekube/schema";

/** Errors of one schema that a message lists. */
export const maxListedErrors = 3;

/**
 * Returns the end of a sentence about a schema that servers reject, such as `is not structural: ...`.
 *
 * @param keepsUnknown - `true` for a definition that keeps unknown fields, whose schema need not be structural.
 */
export function checkSchema(schema: JsonObject, keepsUnknown: boolean): string | undefined {
  const reference = referenceIn(schema);
  if (reference !== undefined) {
    return `has a $ref to ${JSON.stringify(reference)}: definitions cannot have references; write the schema in its place`;
  }
  if (keepsUnknown) {
    return undefined;
  }
  // Types do not depend on patterns: their engine is large, and a default that contradicts one changes no type.
  const errors = collectErrors((found) =>
    validateDefinitionSchema(readStructuralSchema(schema), "schema", found, {
      hasStatus: false,
      compilePattern: () => ({ test: () => true }),
    }),
  );
  const texts = errors
    .slice(0, maxListedErrors)
    .map(({ field, message }) => `${field}: ${message}`);
  const more = errors.length - texts.length;
  return errors.length === 0
    ? undefined
    : `has a schema that servers reject: ${texts.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** Returns the first reference in a schema. Values of defaults and enumerations are not schemas. */
function referenceIn(schema: unknown): string | undefined {
  if (Array.isArray(schema)) {
    return firstOf(schema.map((one: unknown) => () => referenceIn(one)));
  }
  if (typeof schema !== "object" || schema === null) {
    return undefined;
  }
  const { $ref, properties, items, additionalProperties, allOf, anyOf, oneOf, not } =
    schema as Readonly<Record<string, unknown>>;
  return typeof $ref === "string"
    ? $ref
    : firstOf([
        ...Object.values(properties ?? {}).map((one: unknown) => () => referenceIn(one)),
        ...[items, additionalProperties, allOf, anyOf, oneOf, not].map(
          (one) => () => referenceIn(one),
        ),
      ]);
}

function firstOf(finders: readonly (() => string | undefined)[]): string | undefined {
  for (const find of finders) {
    const found = find();
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
