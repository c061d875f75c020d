import { compileRe2 } from "@typekube/cel/re2";
import { isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import {
  type CustomChecks,
  type CustomSchema,
  hasRules,
  readStructuralSchema,
  type ScalePaths,
} from "@typekube/schema";
import { providedRules, type RulesCode } from "../rules/rules-code.js";

/** The version of a kind against which objects are checked. */
export interface CheckedVersion extends CustomSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly hasStatus: boolean;
  /** The validator of the schema's rules; `undefined` without rules. */
  readonly rules: CompiledRules | undefined;
  readonly checks: CustomChecks;
}

/** The rules of a schema, compiled when an object is checked for the first time. */
export interface CompiledRules {
  readonly code: RulesCode;
  readonly validator: ReturnType<RulesCode["ruleValidator"]>;
}

/**
 * Prepares the version of a definition's manifest for checks.
 *
 * @param version - the version as in the manifest.
 */
export function checkedVersion(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  version: JsonObject,
  kubernetes: string,
): CheckedVersion {
  const { openAPIV3Schema } = version["schema"] as { readonly openAPIV3Schema: JsonObject };
  const schema = readStructuralSchema(openAPIV3Schema);
  const subresources = (version["subresources"] ?? {}) as JsonObject;
  let rules: CompiledRules | undefined;
  return {
    apiVersion,
    kind,
    schema,
    scale: scaleOf(subresources["scale"]),
    hasStatus: subresources["status"] !== undefined,
    checks: { compilePattern: rememberedPatterns() },
    get rules() {
      const code = providedRules();
      if (rules === undefined && code !== undefined && hasRules(schema)) {
        rules = { code, validator: code.ruleValidator(schema, { version: kubernetes }) };
      }
      return rules;
    },
  };
}

/** Each pattern is compiled once. */
function rememberedPatterns(): CustomChecks["compilePattern"] {
  const known = new Map<string, ReturnType<CustomChecks["compilePattern"]>>();
  return (pattern) => {
    let compiled = known.get(pattern);
    if (compiled === undefined) {
      compiled = compileRe2(pattern);
      known.set(pattern, compiled);
    }
    return compiled;
  };
}

function scaleOf(scale: unknown): ScalePaths | undefined {
  if (!isJsonObject(scale)) {
    return undefined;
  }
  const keys = (path: unknown) => String(path).replace(/^\./, "").split(".");
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    specReplicas: keys(specReplicasPath),
    statusReplicas: keys(statusReplicasPath),
    labelSelector: typeof labelSelectorPath === "string" ? keys(labelSelectorPath) : undefined,
  };
}
