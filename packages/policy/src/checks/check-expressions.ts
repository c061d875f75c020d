import { type Language, languageOf } from "@typekube/cel/internal";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { qualifiedNameTexts, trimSpace } from "@typekube/core/internal/texts";
import type { MatchCondition } from "../conditions/match-conditions.js";
import { type ExpressionOptions, PolicyExpressions } from "../expressions/policy-expressions.js";
import { resultTypes } from "../expressions/result-types.js";

/** Most match conditions of one policy or webhook. */
const maxConditions = 64;

/** Options of a check. */
export interface CheckOptions {
  /** Version of Kubernetes, for example "1.37". Default: the newest known one. */
  readonly version?: string | undefined;
}

/** Compiles expressions that are written to a policy or webhook, and collects their field errors. */
export class ExpressionChecker {
  readonly causes: StatusCause[] = [];
  readonly #expressions: PolicyExpressions;
  readonly #alone: PolicyExpressions;

  /**
   * @param composed - True if the policy has variables; only then `variables` exists.
   * @param known - Expressions that are stored already: they may use what any version knows.
   */
  constructor(
    { version }: CheckOptions,
    known: ReadonlySet<string>,
    { params, composed }: { readonly params: boolean; readonly composed: boolean },
  ) {
    const languageFor = (expression: string): Language =>
      languageOf(version, known.has(expression) ? "stored" : "new");
    this.#expressions = new PolicyExpressions({ languageFor, params, variables: composed });
    this.#alone = new PolicyExpressions({ languageFor, params, variables: false });
  }

  /** Checks an expression. */
  check(source: string, path: string, options: ExpressionOptions): void {
    this.#report(this.#expressions.compile(source, options).problem, source, path);
  }

  /** Checks a variable, which expressions checked later may use. */
  checkVariable(name: string, source: string, path: string): void {
    const { problem } = this.#expressions.addVariable({ name, expression: source });
    this.#report(problem, source, path);
  }

  /** Checks match conditions. They cannot use variables. */
  checkConditions(conditions: readonly MatchCondition[], path: string): void {
    if (conditions.length > maxConditions) {
      this.causes.push(cause.tooMany(path, conditions.length, maxConditions));
    }
    const names = new Set<string>();
    for (const [at, { name, expression }] of conditions.entries()) {
      const place = `${path}[${at}]`;
      const source = trimSpace(expression);
      if (source === "") {
        this.causes.push(cause.required(`${place}.expression`));
      } else {
        const { problem } = this.#alone.compile(source, { returns: resultTypes.condition });
        this.#report(problem, source, `${place}.expression`);
      }
      this.#checkName(name, `${place}.name`, names);
    }
  }

  #checkName(name: string, path: string, names: Set<string>): void {
    if (name === "") {
      this.causes.push(cause.required(path));
      return;
    }
    for (const text of qualifiedNameTexts(name)) {
      this.causes.push(cause.invalid(path, name, text));
    }
    if (names.has(name)) {
      this.causes.push(cause.duplicate(path, name));
    }
    names.add(name);
  }

  #report(problem: string | undefined, source: string, path: string): void {
    if (problem === undefined) {
      return;
    }
    this.causes.push(
      problem.startsWith("program instantiation failed: ")
        ? { reason: "InternalError", message: `Internal error: ${problem}`, field: path }
        : cause.invalid(path, source, problem),
    );
  }
}

/** Returns the field errors of the match conditions of a webhook. */
export function checkWebhookConditions(
  conditions: readonly MatchCondition[],
  path: string,
  known: ReadonlySet<string> = new Set(),
  options: CheckOptions = {},
): readonly StatusCause[] {
  const checker = new ExpressionChecker(options, known, { params: false, composed: false });
  checker.checkConditions(conditions, path);
  return checker.causes;
}
