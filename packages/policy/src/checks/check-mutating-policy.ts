import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
  Mutation,
} from "@typekube/api/admissionregistration/v1";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { jsonEqual } from "@typekube/core/internal/json";
import { trimSpace } from "@typekube/core/internal/texts";
import { resultTypes } from "../expressions/result-types.js";
import { type CheckOptions, ExpressionChecker } from "./check-expressions.js";
import { checkVariables } from "./check-variables.js";

/** The kinds of mutations, with the field that holds the expression. */
const fieldOfType = { ApplyConfiguration: "applyConfiguration", JSONPatch: "jsonPatch" } as const;

/**
 * Returns the field errors of the expressions of a MutatingAdmissionPolicy, as a server reports them when the policy is
 * written: match conditions, variables and mutations. Expressions that the old policy has, too, may use what any version of
 * Kubernetes knows.
 */
export function checkMutatingPolicy(
  policy: MutatingAdmissionPolicy,
  old?: MutatingAdmissionPolicy,
  options: CheckOptions = {},
): readonly StatusCause[] {
  const { spec = {} } = policy;
  const { matchConditions = [], variables = [], mutations = [] } = spec;
  const checker = new ExpressionChecker(options, expressionsOf(old?.spec), {
    params: spec.paramKind !== undefined,
    composed: variables.length > 0,
  });
  const isSame =
    old !== undefined &&
    jsonEqual(spec.paramKind, old.spec?.paramKind) &&
    jsonEqual(spec.matchConditions, old.spec?.matchConditions);
  if (!isSame) {
    checker.checkConditions(matchConditions, "spec.matchConditions");
  }
  checkVariables(variables, checker, "spec.variables");
  if (mutations.length === 0) {
    const why = "mutations must contain at least one item";
    checker.causes.push(cause.required("spec.mutations", why));
  }
  for (const [at, mutation] of mutations.entries()) {
    checkMutation(mutation, checker, `spec.mutations[${at}]`);
  }
  return checker.causes;
}

function expressionsOf(spec: MutatingAdmissionPolicySpec = {}): ReadonlySet<string> {
  return new Set([
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.mutations ?? []).flatMap(({ jsonPatch, applyConfiguration }) => [
      jsonPatch?.expression ?? "",
      applyConfiguration?.expression ?? "",
    ]),
  ]);
}

function checkMutation(mutation: Mutation, checker: ExpressionChecker, path: string): void {
  const { causes } = checker;
  const patchType: string = mutation.patchType;
  if (patchType === "") {
    causes.push(cause.required(`${path}.patchType`));
    return;
  }
  if (patchType !== "ApplyConfiguration" && patchType !== "JSONPatch") {
    causes.push(cause.notSupported(`${path}.patchType`, patchType, Object.keys(fieldOfType)));
    return;
  }
  const field = fieldOfType[patchType];
  const expression = mutation[field]?.expression ?? "";
  if (mutation[field] === undefined) {
    const why = `must be specified when patchType is ${patchType}`;
    causes.push(cause.required(`${path}.${field}`, why));
  } else if (trimSpace(expression) === "") {
    causes.push(cause.required(`${path}.${field}.expression`));
  } else {
    checker.check(expression, `${path}.${field}.expression`, {
      patchTypes: true,
      returns: resultTypes[patchType],
    });
  }
  const other = field === "jsonPatch" ? "applyConfiguration" : "jsonPatch";
  if (mutation[other] !== undefined) {
    const why = `must not be specified when patchType is ${patchType}`;
    causes.push(cause.invalid(`${path}.${other}`, `{${other}}`, why));
  }
}
