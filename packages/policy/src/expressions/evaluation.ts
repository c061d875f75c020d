import { type CelError, CelFailure, type CelResult, type CelValue, dynType } from "@typekube/cel";
import { CelAuthorizer, CelResourceCheck, toCel } from "@typekube/cel/internal";
import { LazyVariables } from "./lazy-variables.js";
import type { PolicyExpression, PolicyExpressions } from "./policy-expressions.js";
import type { PolicyInput } from "./policy-input.js";
import { readsSecret, shownError } from "./shown-error.js";

/** Largest cost of one expression in units (`PerCallLimit` of Kubernetes). */
export const expressionCostLimit = 1_000_000;
/** Largest cost of the expressions of one policy for one binding and parameter (`RuntimeCELCostBudget`). */
export const policyCostLimit = 10_000_000;
/** Largest cost of all match conditions of one policy or webhook (`RuntimeCELCostBudgetMatchConditions`). */
export const matchConditionsCostLimit = 2_500_000;

/** The value of an expression, or why it has none. */
export type ExpressionOutcome = { readonly value: CelValue } | { readonly error: string };

/** Thrown when expressions cost more together than they may. */
export class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";

  constructor() {
    super(
      "validation failed due to running out of cost budget, no further validation rules will be run",
    );
  }
}

/** Evaluates expressions on one request. They share a budget, and each variable is evaluated at most once. */
export class PolicyEvaluation {
  /** Units that are left. */
  remaining: number;
  readonly #variables: ReadonlyMap<string, PolicyExpression>;
  readonly #values: (name: string) => CelResult;
  readonly #lazy: LazyVariables;
  readonly #readsSecret: boolean;
  /** Units that variables cost since the expression began. */
  #spentByVariables = 0;

  constructor({ variables, secretParams }: PolicyExpressions, input: PolicyInput, budget: number) {
    this.remaining = budget;
    this.#variables = variables;
    this.#readsSecret = secretParams || readsSecret(input);
    this.#lazy = new LazyVariables(new Set(variables.keys()), (name) => this.#variable(name));
    this.#values = valuesOf(input, this.#lazy);
  }

  /**
   * Evaluates an expression.
   *
   * @throws {OutOfBudget} if the budget is used up.
   */
  evaluate({ source, program, problem }: PolicyExpression): ExpressionOutcome {
    if (program === undefined) {
      return { error: `compilation error: ${problem}` };
    }
    const { result, cost } = program.run(this.#values, { costLimit: expressionCostLimit });
    this.#spend(this.#spentByVariables);
    this.#spentByVariables = 0;
    this.#spend(cost);
    return "code" in result
      ? { error: `expression '${source}' resulted in error: ${this.#shown(result, source)}` }
      : result;
  }

  #spend(cost: number): void {
    if (cost > this.remaining) {
      throw new OutOfBudget();
    }
    this.remaining -= cost;
  }

  #shown({ code, message }: CelError, source: string): string {
    return this.#readsSecret && code === "Failed" ? shownError(message, source) : message;
  }

  #variable(name: string): CelResult {
    const variable = this.#variables.get(name);
    const shown = `composited variable ${JSON.stringify(name)}`;
    if (variable?.program === undefined) {
      return new CelFailure(`${shown} fails to compile: ${variable?.problem}`);
    }
    const { result, cost } = variable.program.run(this.#values, {
      costLimit: expressionCostLimit,
    });
    this.#spentByVariables += cost;
    return "code" in result
      ? new CelFailure(`${shown} fails to evaluate: ${this.#shown(result, variable.source)}`)
      : result.value;
  }
}

function valuesOf(input: PolicyInput, variables: LazyVariables): (name: string) => CelResult {
  const { request, authorize } = input;
  const known: Record<string, () => CelResult> = {
    object: () => toCel(input.object ?? null, dynType),
    oldObject: () => toCel(input.oldObject ?? null, dynType),
    params: () => toCel(input.params ?? null, dynType),
    request: () => toCel(request, dynType),
    namespaceObject: () => toCel(input.namespaceObject ?? null, dynType),
    variables: () => variables,
  };
  if (authorize !== undefined) {
    const authorizer = () => {
      const { username = "", uid, groups, extra } = request.userInfo ?? {};
      return new CelAuthorizer({ username, uid, groups, extra }, authorize);
    };
    known["authorizer"] = authorizer;
    known["authorizer.requestResource"] = () => {
      const { requestResource = request.resource, subResource = "" } = request;
      const { namespace = "", name = "" } = request;
      const { group: apiGroup, resource } = requestResource;
      const parts = { apiGroup, resource, subresource: subResource, namespace, name };
      return new CelResourceCheck(authorizer(), parts);
    };
  }
  const none = (name: string) => new CelFailure(`no such attribute(s): ${name}`);
  return (name) => (known[name] ?? (() => none(name)))();
}
