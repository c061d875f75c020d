import type { MutatingAdmissionPolicy } from "@typekube/api/admissionregistration/v1";
import {
  type FailurePolicy,
  MatchConditions,
  storedLanguage,
} from "../conditions/match-conditions.js";
import { type PolicyExpression, PolicyExpressions } from "../expressions/policy-expressions.js";
import { resultTypes } from "../expressions/result-types.js";
import { isSecretObject } from "../expressions/shown-error.js";

/** A mutation whose expression is compiled. */
export interface CompiledMutation {
  readonly patchType: "ApplyConfiguration" | "JSONPatch";
  readonly expression: PolicyExpression;
}

/** A MutatingAdmissionPolicy whose expressions are compiled. */
export interface CompiledMutatingPolicy {
  readonly policy: MutatingAdmissionPolicy;
  readonly failurePolicy: FailurePolicy;
  readonly expressions: PolicyExpressions;
  /** `undefined` without conditions. */
  readonly conditions: MatchConditions | undefined;
  readonly mutations: readonly CompiledMutation[];
}

/** Compiles a policy as a server does with a stored one. Expressions that do not compile fail when they are evaluated. */
export function compileMutatingPolicy(policy: MutatingAdmissionPolicy): CompiledMutatingPolicy {
  const { spec = {} } = policy;
  const expressions = new PolicyExpressions({
    languageFor: storedLanguage,
    params: spec.paramKind !== undefined,
    secretParams: isSecretObject(spec.paramKind),
  });
  for (const variable of spec.variables ?? []) {
    expressions.addVariable(variable);
  }
  const { matchConditions = [] } = spec;
  return {
    policy,
    failurePolicy: spec.failurePolicy === "Ignore" ? "Ignore" : "Fail",
    expressions,
    conditions:
      matchConditions.length === 0 ? undefined : new MatchConditions(expressions, matchConditions),
    mutations: (spec.mutations ?? []).flatMap(
      ({ jsonPatch, applyConfiguration }): readonly CompiledMutation[] => [
        ...compiled(expressions, "JSONPatch", jsonPatch?.expression),
        ...compiled(expressions, "ApplyConfiguration", applyConfiguration?.expression),
      ],
    ),
  };
}

function compiled(
  expressions: PolicyExpressions,
  patchType: CompiledMutation["patchType"],
  source: string | undefined,
): readonly CompiledMutation[] {
  if (source === undefined) {
    return [];
  }
  const options = { patchTypes: true, returns: resultTypes[patchType] };
  return [{ patchType, expression: expressions.compile(source, options) }];
}
