import { type CompilePattern, hasPatterns, hasRules, readStructuralSchema } from "@typekube/schema";
import { getPath, isJsonObject, type JsonObject } from "../objects/json-value.js";
import { versionsOf } from "../resources/definition.js";
import { PendingCall } from "../time/pending-call.js";

/** The code of rules, which contains the expression language. */
type RulesCode = typeof import("@typekube/schema/rules");
/** The engine of patterns. */
type PatternCode = typeof import("@typekube/cel/re2");

// Code is loaded once for all servers of a process. Most programs have no definition that needs it.
let rulesCode: RulesCode | undefined;
let patternCode: PatternCode | undefined;

/**
 * Returns the code of rules. Ends the calling step if it is not loaded yet: the step is repeated once it is.
 *
 * @throws {PendingCall} the first time in a process.
 */
export function loadedRules(): RulesCode {
  if (rulesCode === undefined) {
    throw new PendingCall(async () => {
      rulesCode = await import("@typekube/schema/rules");
    });
  }
  return rulesCode;
}

/**
 * Compiles a pattern in RE2 syntax. Ends the calling step if the engine is not loaded yet, as `loadedRules` does.
 *
 * @throws {PendingCall} the first time in a process.
 */
export const compilePattern: CompilePattern = (pattern) => {
  if (patternCode === undefined) {
    throw new PendingCall(async () => {
      patternCode = await import("@typekube/cel/re2");
    });
  }
  return patternCode.compileRe2(pattern);
};

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
