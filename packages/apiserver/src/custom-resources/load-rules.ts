import { type CompilePattern, hasPatterns, hasRules, readStructuralSchema } from "@typekube/schema";
import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import { versionsOf } from "../resources/definition.js";
import { lazyCode } from "../time/lazy-code.js";

/** The code of rules, which contains the expression language. */
type RulesCode = typeof import("@typekube/schema/rules");

/** Returns the code of rules. Ends the calling step if it is not loaded yet. */
export const loadedRules: () => RulesCode = lazyCode(() => import("@typekube/schema/rules"));

const patternCode = lazyCode(() => import("@typekube/cel/re2"));

/** Compiles a pattern in RE2 syntax. Ends the calling step if the engine is not loaded yet. */
export const compilePattern: CompilePattern = (pattern) => patternCode().compileRe2(pattern);

/**
 * Ends the calling step until the code is loaded that the objects of a definition need. A definition that is written has
 * passed its own checks, which load the same code; one that is stored without them has not.
 */
export function assertCodeLoaded(definition: JsonObject): void {
  for (const version of versionsOf(definition)) {
    const source = getPath(version, "schema", "openAPIV3Schema");
    const schema = readStructuralSchema(isJsonObject(source) ? source : {});
    if (hasRules(schema)) {
      loadedRules();
    }
    if (hasPatterns(schema)) {
      compilePattern("");
    }
  }
}
