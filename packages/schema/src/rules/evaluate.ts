import type { JsonObject } from "@typekube/core/internal/json";
import { readStructuralSchema } from "../structural/structural-schema.js";
import { checkRules } from "./check-rules.js";
import { ruleValidator } from "./rule-validator.js";
import { type RuleFindings, validateRules } from "./validate-rules.js";

/** An object, the schema of its kind and, for an update, the old object. */
export interface RuleEvaluation {
  /** The `openAPIV3Schema` of a definition's version. */
  readonly schema: JsonObject;
  readonly object: unknown;
  /** The object before an update; a create without it. */
  readonly oldObject?: unknown;
  /** Version of Kubernetes, for example "1.37". Default: the newest known one. */
  readonly version?: string;
  /**
   * "stored" (default) evaluates every rule that any known version accepts; "new" reports the rules that a server of this
   * version refuses in a new definition.
   */
  readonly mode?: "new" | "stored";
}

/**
 * Evaluates the validation rules of a definition on an object, as a server does when the object is written.
 *
 * @throws {RangeError} for an unknown version.
 */
export function evaluate({
  schema,
  object,
  oldObject,
  version,
  mode = "stored",
}: RuleEvaluation): RuleFindings {
  const structural = readStructuralSchema(schema);
  const refused = mode === "new" ? checkRules(structural, "openAPIV3Schema", { version }) : [];
  if (refused.length > 0) {
    return { causes: refused, warnings: [], cost: 0 };
  }
  const validator = ruleValidator(structural, version === undefined ? {} : { version });
  return validator === undefined
    ? { causes: [], warnings: [], cost: 0 }
    : validateRules(validator, object, oldObject === undefined ? {} : { old: oldObject });
}
