import { type Language, languageOf } from "@typekube/cel/internal";
import {
  matchConditionsCostLimit,
  OutOfBudget,
  PolicyEvaluation,
} from "../expressions/evaluation.js";
import { type PolicyExpression, PolicyExpressions } from "../expressions/policy-expressions.js";
import type { PolicyInput } from "../expressions/policy-input.js";
import { resultTypes } from "../expressions/result-types.js";

/** A condition under which a policy or webhook takes part. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Decides about a request for which a policy or webhook cannot. */
export type FailurePolicy = "Fail" | "Ignore";

/** Tells whether conditions match; `error` if that is unknown and the failure policy is "Fail". */
export interface MatchOutcome {
  readonly matches: boolean;
  /** Name of the condition that is false. */
  readonly failedCondition?: string;
  readonly error?: string;
}

/** Compiled match conditions. (k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions) */
export class MatchConditions {
  readonly #expressions: PolicyExpressions;
  readonly #conditions: readonly {
    readonly name: string;
    readonly expression: PolicyExpression;
  }[];

  /** @param expressions - Compiles the conditions; those of a policy know its variables. */
  constructor(expressions: PolicyExpressions, conditions: readonly MatchCondition[]) {
    this.#expressions = expressions;
    this.#conditions = conditions.map(({ name, expression }) => ({
      name,
      expression: expressions.compile(expression, { returns: resultTypes.condition }),
    }));
  }

  /** Evaluates the conditions. One that is false decides, even beside others that fail. */
  match(input: PolicyInput, failurePolicy: FailurePolicy): MatchOutcome {
    const errors = new Set<string>();
    const { request } = input;
    // Conditions see the resource as requested, and no namespace.
    const { requestResource: resource = request.resource } = request;
    const evaluation = new PolicyEvaluation(
      this.#expressions,
      { ...input, request: { ...request, resource }, namespaceObject: null },
      matchConditionsCostLimit,
    );
    try {
      // A server evaluates all conditions before it looks at the results: the budget comes first.
      const outcomes = this.#conditions.map(({ name, expression }) => ({
        name,
        outcome: evaluation.evaluate(expression),
      }));
      for (const { name, outcome } of outcomes) {
        if ("error" in outcome) {
          errors.add(outcome.error);
        } else if (outcome.value === false) {
          return { matches: false, failedCondition: name };
        }
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) {
        throw error;
      }
      return unknown(error.message, failurePolicy);
    }
    return errors.size === 0 ? { matches: true } : unknown(aggregate([...errors]), failurePolicy);
  }
}

function unknown(error: string, failurePolicy: FailurePolicy): MatchOutcome {
  return failurePolicy === "Fail" ? { matches: false, error } : { matches: false };
}

/** Joins errors as Go's aggregates do. */
function aggregate(errors: readonly string[]): string {
  return errors.length === 1 ? errors.join("") : `[${errors.join(", ")}]`;
}

/** The language of what is stored already: everything that any known version accepts. */
export const storedLanguage = (): Language => languageOf(undefined, "stored");

/** Compiles the match conditions of a webhook: they know `object`, `oldObject`, `request` and `authorizer`. */
export function webhookConditions(conditions: readonly MatchCondition[]): MatchConditions {
  const expressions = new PolicyExpressions({
    languageFor: storedLanguage,
    params: false,
    variables: false,
  });
  return new MatchConditions(expressions, conditions);
}
