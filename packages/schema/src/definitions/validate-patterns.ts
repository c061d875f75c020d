import { cause, type FieldErrors } from "@typekube/core/internal/field-errors";
import type { CompilePattern } from "../structural/compile-pattern.js";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** Appends the errors of patterns that are no regular expressions, of a schema and those below it. */
export function validatePatterns(
  schema: StructuralSchema,
  path: string,
  errors: FieldErrors,
  compilePattern: CompilePattern,
): void {
  visitPatterns(schema, path, false, (pattern, at) => {
    const compiled = compilePattern(pattern);
    if ("problem" in compiled) {
      const why = `must be a valid regular expression, but isn't: ${compiled.problem}`;
      errors.push(cause.invalid(at, pattern, why));
    }
  });
}

/** Returns true if a schema or one below it has a pattern. */
export function hasPatterns(schema: StructuralSchema): boolean {
  let found = false;
  visitPatterns(schema, "", false, () => {
    found = true;
  });
  return found;
}

type VisitPattern = (pattern: string, path: string) => void;

function visitPatterns(
  schema: StructuralSchema,
  path: string,
  isNested: boolean,
  found: VisitPattern,
): void {
  const { pattern } = schema.source;
  if (typeof pattern === "string" && pattern !== "") {
    found(pattern, `${path}.pattern`);
  }
  const visit = (inner: StructuralSchema, at: string, nested = isNested) =>
    visitPatterns(inner, at, nested, found);
  const { items, properties, additionalProperties, not } = schema;
  if (items !== undefined) {
    visit(items, `${path}.items`);
  }
  for (const [name, property] of properties) {
    visit(property, `${path}.properties[${name}]`);
  }
  // In `allOf` and the like, additionalProperties are forbidden as a whole.
  if (typeof additionalProperties === "object" && !isNested) {
    visit(additionalProperties, `${path}.additionalProperties`);
  }
  for (const key of ["anyOf", "allOf", "oneOf"] as const) {
    for (const [at, part] of schema[key].entries()) {
      visit(part, `${path}.${key}[${at}]`, true);
    }
  }
  if (not !== undefined) {
    visit(not, `${path}.not`, true);
  }
}
