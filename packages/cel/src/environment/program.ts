import { type CheckedExpression, typeOfNode } from "../check/checked-expression.js";
import { estimateCost } from "../cost/estimate-cost.js";
import type { SizeOf } from "../cost/estimated-value.js";
import { CostLimitExceeded, EvaluationInterrupted, Frame } from "../evaluate/frame.js";
import type { StructCreator } from "../evaluate/plan-construction.js";
import { type PlannedExpression, planExpression } from "../evaluate/planner.js";
import { isStackOverflow, nestedTooDeeply } from "../evaluate/stack-overflow.js";
import { type ExplainOptions, type Explanation, explanationOf } from "../explain/explanation.js";
import { type CelLint, lintExpression } from "../lint/lint-expression.js";
import { type ExpressionUses, usesOf } from "../lint/uses.js";
import type { Expression } from "../syntax/expression.js";
import { freezeTree } from "../syntax/freeze-tree.js";
import { CelFailure } from "../values/cel-failure.js";
import type { CelType } from "../values/cel-type.js";
import type { CelResult, CelValue } from "../values/cel-value.js";

/** Largest cost of one expression in Kubernetes (`PerCallLimit`), in units. */
export const defaultCostLimit = 1_000_000;

/** Options of one evaluation. */
export interface EvaluateOptions {
  /** Largest cost in units. Default 1,000,000, as in Kubernetes. */
  readonly costLimit?: number;
  /** Ends the evaluation. It is synchronous, so only a signal that is aborted already, or by a function called, ends it. */
  readonly signal?: AbortSignal;
  /** Longest time in milliseconds; looked at every 100 steps of loops. No limit by default. */
  readonly timeoutMs?: number;
}

/** The kinds of errors of an evaluation. */
export type CelErrorCode = "CostLimit" | "Failed" | "Interrupted";

/** Why an evaluation has no value. */
export interface CelError {
  /** "Failed" is an error of the expression, for example a missing key. */
  readonly code: CelErrorCode;
  /** For example "no such key: a". */
  readonly message: string;
  /** The original error when a function of a library of the user threw. */
  readonly cause?: unknown;
}

/** A value of the language or an error, and the units that the evaluation cost. */
export interface ProgramOutcome {
  readonly result: { readonly value: CelValue } | CelError;
  readonly cost: number;
}

/** A compiled expression that takes and returns values of the language. */
export class Program {
  /** Names of the variables that the expression reads. */
  readonly variables: readonly string[];
  readonly #source: string;
  readonly #checked: CheckedExpression;
  readonly #createStruct: StructCreator;
  readonly #plan: PlannedExpression;

  /** Plans a checked expression. @throws {InstantiationFailed} if a constant part fails. */
  constructor(source: string, checked: CheckedExpression, createStruct: StructCreator) {
    this.#source = source;
    this.#checked = checked;
    this.#createStruct = createStruct;
    this.#plan = planExpression(checked, createStruct);
    this.variables = this.#plan.variables;
  }

  /** The syntax tree, frozen. */
  get ast(): Expression {
    return freezeTree(this.#checked.expression);
  }

  /** The type of the result. */
  get type(): CelType {
    return this.typeOf(this.#checked.expression);
  }

  /** The variables and functions that the expression uses. */
  get uses(): ExpressionUses {
    return usesOf(this.#checked);
  }

  /** Returns what is legal in the expression, but hardly meant. */
  lint(): readonly CelLint[] {
    return lintExpression(this.#checked, this.#source);
  }

  /** Returns the type of a part of the expression. */
  typeOf(node: Expression): CelType {
    return typeOfNode(this.#checked, node);
  }

  /** Estimates the cost before any value is known. */
  estimate(sizeOf: SizeOf = () => undefined): { readonly min: bigint; readonly max: bigint } {
    const { min, max } = estimateCost(this.#checked, sizeOf);
    return { min, max };
  }

  /**
   * Evaluates the expression.
   *
   * @param variable - Returns the value of a variable; called once for each that is read.
   */
  run(variable: (name: string) => CelResult, options: EvaluateOptions = {}): ProgramOutcome {
    return runPlan(this.#plan, variable, options);
  }

  /** Evaluates the expression again and explains why it is not true, with the values of its parts. */
  explain(
    variable: (name: string) => CelResult,
    options: EvaluateOptions & ExplainOptions = {},
  ): Explanation {
    return explanationOf(this.#checked, this.#source, options, (observer) => {
      const plan = planExpression(this.#checked, this.#createStruct, observer);
      const { result } = runPlan(plan, variable, options);
      if ("code" in result) {
        return result.code === "Failed" ? { isTrue: false } : { ended: result.message };
      }
      return { isTrue: result.value === true };
    });
  }
}

function runPlan(
  { run, slotCount, variables }: PlannedExpression,
  variable: (name: string) => CelResult,
  { costLimit = defaultCostLimit, signal, timeoutMs }: EvaluateOptions,
): ProgramOutcome {
  const frame = new Frame(slotCount, (slot) => variable(variables[slot] ?? ""), {
    cost: costLimit,
    isInterrupted: interruption(signal, timeoutMs),
  });
  try {
    const value = run(frame);
    frame.spend(0);
    const result = value instanceof CelFailure ? failed(value) : { value };
    return { result, cost: frame.cost };
  } catch (error) {
    if (error instanceof CostLimitExceeded) {
      return { result: { code: "CostLimit", message: error.message }, cost: frame.cost };
    }
    if (error instanceof EvaluationInterrupted) {
      return { result: { code: "Interrupted", message: error.message }, cost: frame.cost };
    }
    if (isStackOverflow(error)) {
      return { result: { code: "Failed", message: nestedTooDeeply }, cost: frame.cost };
    }
    throw error;
  }
}

function failed({ message, cause }: CelFailure): CelError {
  return { code: "Failed", message, ...(cause === undefined ? {} : { cause }) };
}

function interruption(
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
): (() => boolean) | undefined {
  if (signal === undefined && timeoutMs === undefined) {
    return undefined;
  }
  const end = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  return () => signal?.aborted === true || performance.now() > end;
}
