import { KubeError } from "@typekube/core";
import type { JsonObject } from "@typekube/core/internal/json";
import { type $ZodType, clone, globalRegistry } from "zod/v4/core";
import { zodProblem } from "../zod/zod-problem.js";

/**
 * Returns a copy of a zod schema with more metadata. It is kept in zod's registry, as by `meta()`, so it works for
 * schemas of `zod` and of `zod/mini`, and `z.toJSONSchema()` shows it, too.
 */
export function annotated<S extends $ZodType>(schema: S, call: string, meta: JsonObject): S {
  const problem = zodProblem(schema);
  if (problem !== undefined) {
    throw new KubeError("InvalidArgument", `${call}: the schema ${problem.problem}`, {
      hint: problem.hint,
    });
  }
  const copy = clone(schema, undefined, { parent: true });
  globalRegistry.add(copy, meta);
  return copy;
}

/** Returns a keyword of a schema's metadata. */
export function metaOf(schema: $ZodType, key: string): unknown {
  return (globalRegistry.get(schema) as JsonObject | undefined)?.[key];
}
