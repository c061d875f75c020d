import type { JsonObject } from "@typekube/core/internal";
import { checkRules } from "../rule-checks/check-rules.js";
import { explainCosts } from "../rule-checks/explain-cost.js";
import type { RuleCause } from "../rules/rule-cause.js";
import { ruleValidator } from "../rules/rule-validator.js";
import { type RuleFindings, validateRules } from "../rules/validate-rules.js";
import { readStructuralSchema, type StructuralSchema } from "../structural/structural-schema.js";

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
  /** True to add an `explanation` to the causes, which takes longer. Default false: the causes are those of a server. */
  readonly explain?: boolean;
}

/**
 * Evaluates the validation rules of a definition on an object, as a server does when the object is written.
 *
 * @throws {RangeError} for an unknown version.
 */
export function evaluate(options: RuleEvaluation): RuleFindings {
  const { object, oldObject, version, mode = "stored", explain = false } = options;
  const schema = readStructuralSchema(options.schema);
  const refused = mode === "new" ? refusedRules(schema, { version, explain }) : [];
  if (refused.length > 0) {
    return { causes: refused, warnings: [], cost: 0 };
  }
  const validator = ruleValidator(schema, version === undefined ? {} : { version });
  return validator === undefined
    ? { causes: [], warnings: [], cost: 0 }
    : validateRules(validator, object, { old: oldObject, explain });
}

function refusedRules(
  schema: StructuralSchema,
  { version, explain }: { readonly version: string | undefined; readonly explain: boolean },
): readonly RuleCause[] {
  const path = "openAPIV3Schema";
  const causes = checkRules(schema, path, { version });
  if (!explain) {
    return causes;
  }
  const texts = new Map(
    explainCosts(schema, path, { version }).map((explained) => [explained.path, explained.text]),
  );
  return causes.map((cause) => {
    const explanation =
      cause.reason === "FieldValueForbidden" ? texts.get(cause.field ?? "") : undefined;
    return explanation === undefined ? cause : { ...cause, explanation };
  });
}
