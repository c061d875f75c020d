import type { CelLint } from "@typekube/cel";
import type { JsonObject } from "@typekube/core/internal";
import { readStructuralSchema } from "../structural/structural-schema.js";
import { compiledPlaces, rulePath } from "./check-rules.js";

/** A rule that a server accepts, but that is hardly meant. */
export interface RuleLint extends Omit<CelLint, "code"> {
  readonly code: "AlwaysFalse" | "AlwaysTrue" | "ReadsNoSelf";
  /** Path of the rule in the definition. */
  readonly path: string;
}

/** Options of `lintRules`. */
export interface LintRulesOptions {
  /** Version of Kubernetes, for example "1.37". Default: the newest known one. */
  readonly version?: string;
}

/**
 * Returns the rules of a definition that are always true or false, in part or as a whole, or that never read `self`. Rules
 * that do not compile are left to the check of the definition.
 *
 * @param schema - The `openAPIV3Schema` of a definition's version.
 * @throws {RangeError} for an unknown version.
 */
export function lintRules(schema: JsonObject, options: LintRulesOptions = {}): readonly RuleLint[] {
  const places = compiledPlaces(readStructuralSchema(schema), "openAPIV3Schema", options);
  return Array.from(places).flatMap(({ place, rules }) =>
    rules.flatMap(({ rule, program }, index) => {
      if (program === undefined) {
        return [];
      }
      const path = `${rulePath(place, index)}.rule`;
      const constant = program.program
        .lint()
        .flatMap(({ code, ...lint }) =>
          code === "ReadsNoVariable" ? [] : [{ ...lint, code, path }],
        );
      const readsSelf = program.program.variables.includes("self");
      return [
        ...constant,
        ...(constant.length > 0 || readsSelf ? [] : [readsNoSelf(rule.rule, path)]),
      ];
    }),
  );
}

function readsNoSelf(rule: string, path: string): RuleLint {
  const end = Array.from(rule).length;
  return { code: "ReadsNoSelf", message: `never reads self: ${rule}`, start: 0, end, path };
}
