/** A compiled pattern of a schema. */
export interface SchemaPattern {
  /** Returns true when a part of the text matches. */
  test(text: string): boolean;
}

/**
 * Compiles a pattern in RE2 syntax; returns the problem of an invalid one. Callers pass `compileRe2` of
 * `@typekube/cel/re2` or a function that loads it first: most programs never need the engine, which is large.
 */
export type CompilePattern = (pattern: string) => SchemaPattern | { readonly problem: string };
