import { compileRe2 } from "@typekube/cel/re2";
import { collectErrors } from "@typekube/core/internal/field-errors";
import { getPath, type JsonObject } from "@typekube/core/internal/json";
import {
  hasRules,
  readStructuralSchema,
  validateDefinition,
  withDefinitionDefaults,
  withStoredVersions,
} from "@typekube/schema";
import { providedRules } from "../rules/rules-code.js";
import type { BuiltVersion } from "./definition-manifest.js";
import { type DefinitionProblem, problemOf, shortPath } from "./describe-problems.js";
import { fieldPathProblems } from "./field-path-problems.js";

/** Version of Kubernetes whose checks and language of rules a definition must pass. */
export const checkedVersion = "1.37";

/** Returns the problems of a definition: what zod cannot express, and what a server would refuse. */
export function checkDefinition(
  manifest: JsonObject,
  versions: readonly BuiltVersion[],
): readonly DefinitionProblem[] {
  const problems = versions.flatMap((version) => prefixed(version, versions.length > 1));
  if (problems.length > 0) {
    // The schemas are incomplete, so what a server says about them would only confuse.
    return [...problems, ...serverProblems(withoutSchemas(manifest), [])];
  }
  const withRules = versions.some(({ schema }) => hasRules(readStructuralSchema(schema)));
  if (withRules && providedRules() === undefined) {
    return [
      {
        path: "cel",
        problem: "the definition has validation rules, but their compiler is not loaded",
        hint: "create rules with rule() of typekube/crd/rules, or call await loadRules() first",
      },
    ];
  }
  return serverProblems(manifest, versions);
}

function serverProblems(
  manifest: JsonObject,
  versions: readonly BuiltVersion[],
): DefinitionProblem[] {
  const complete = withStoredVersions(withDefinitionDefaults(manifest));
  const costs = new Map<string, string>();
  const causes = collectErrors((errors) =>
    validateDefinition(complete, undefined, errors, {
      version: checkedVersion,
      compilePattern: compileRe2,
      rules: () => {
        const code = providedRules();
        if (code === undefined) {
          throw new Error("definitions with rules are checked after the compiler is loaded");
        }
        return code;
      },
      warn(text) {
        const end = text.indexOf(": ");
        costs.set(text.slice(0, end), text.slice(end + 2));
      },
    }),
  );
  const found = causes.map((cause) => {
    const hint = costs.get(cause.field ?? "");
    return { ...problemOf(cause), ...(hint === undefined ? {} : { hint: withShortPaths(hint) }) };
  });
  return [...found, ...(found.length > 0 ? [] : versions.flatMap(fieldPathProblems))];
}

function withShortPaths(text: string): string {
  return text.replace(/spec\.[^\s,]*openAPIV3Schema[^\s,]*/g, shortPath);
}

function prefixed({ name, problems }: BuiltVersion, hasOthers: boolean): DefinitionProblem[] {
  return problems.map((problem) =>
    hasOthers ? { ...problem, path: `${name}: ${problem.path}` } : problem,
  );
}

/** Returns a definition with schemas that allow everything. */
function withoutSchemas(manifest: JsonObject): JsonObject {
  const spec = manifest["spec"] as JsonObject;
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    ...manifest,
    spec: {
      ...spec,
      versions: (getPath(spec, "versions") as JsonObject[]).map(
        ({ selectableFields: _fields, ...version }) => ({
          ...version,
          schema: { openAPIV3Schema: free },
        }),
      ),
    },
  };
}
