import type { CheckedExpression } from "../check/checked-expression.js";
import { typeOfNode } from "../check/checked-expression.js";
import { estimateCost, type SizeOf } from "../cost/estimate-cost.js";
import { CostLimitExceeded, EvaluationInterrupted, Frame } from "../evaluate/frame.js";
import type { PlannedExpression } from "../evaluate/planner.js";
import { fromCel } from "../inputs/from-cel.js";
import { toCel } from "../inputs/to-cel.js";
import type { Expression } from "../syntax/expression.js";
import { CelFailure } from "../values/cel-failure.js";
import { type CelType, dynType } from "../values/cel-type.js";
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

/** The outcome of an evaluation. */
export type Evaluation<T = unknown> =
  | { readonly ok: true; readonly value: T; readonly cost: number }
  | { readonly ok: false; readonly error: CelError; readonly cost: number };

/** Values of the variables of an expression: JavaScript values that are converted by the declared types. */
export type CelInput = Readonly<Record<string, unknown>>;

/** A compiled expression. It can be evaluated many times, with different variables. */
export class CelRule<T = unknown> {
  /** The text of the expression. */
  readonly source: string;
  /** Names of the variables that the expression reads. */
  readonly variables: readonly string[];
  readonly #checked: CheckedExpression;
  readonly #plan: PlannedExpression;
  readonly #types: ReadonlyMap<string, CelType>;

  /** @internal */
  constructor(
    source: string,
    checked: CheckedExpression,
    plan: PlannedExpression,
    types: ReadonlyMap<string, CelType>,
  ) {
    this.source = source;
    this.variables = plan.variables;
    this.#checked = checked;
    this.#plan = plan;
    this.#types = types;
  }

  /** The syntax tree. */
  get ast(): Expression {
    return this.#checked.expression;
  }

  /** The type of the result. */
  get type(): CelType {
    return this.typeOf(this.#checked.expression);
  }

  /** Returns the type of a part of the expression. */
  typeOf(node: Expression): CelType {
    return typeOfNode(this.#checked, node);
  }

  /**
   * Estimates the cost before any value is known.
   *
   * @param sizeOf - Returns the sizes that the inputs can have; without it, sizes are unknown and costs unbounded.
   */
  estimate(sizeOf: SizeOf = () => undefined): { readonly min: bigint; readonly max: bigint } {
    const { min, max } = estimateCost(this.#checked, sizeOf);
    return { min, max };
  }

  /** Evaluates the expression. Errors of the expression are in the outcome; nothing is thrown for them. */
  evaluate(input: CelInput, options: EvaluateOptions = {}): Evaluation<T> {
    const { result, cost } = this.evaluateToCel(
      (name) => inputValue(input, name, this.#types),
      options,
    );
    if ("code" in result) {
      return { ok: false, error: result, cost };
    }
    // The type parameter is the caller's promise about the declared result.
    return { ok: true, value: fromCel(result.value) as T, cost };
  }

  /** Evaluates the expression with values of the language. @internal */
  evaluateToCel(
    variable: (name: string) => CelResult,
    { costLimit = defaultCostLimit, signal, timeoutMs }: EvaluateOptions,
  ): { readonly result: { readonly value: CelValue } | CelError; readonly cost: number } {
    const names = this.#plan.variables;
    const frame = new Frame(this.#plan.slotCount, (slot) => variable(names[slot] ?? ""), {
      cost: costLimit,
      isInterrupted: interruption(signal, timeoutMs),
    });
    try {
      const value = this.#plan.run(frame);
      frame.spend(0);
      const result =
        value instanceof CelFailure
          ? { code: "Failed" as const, message: value.message, cause: value.cause }
          : { value };
      return { result, cost: frame.cost };
    } catch (error) {
      if (error instanceof CostLimitExceeded) {
        return { result: { code: "CostLimit", message: error.message }, cost: frame.cost };
      }
      if (error instanceof EvaluationInterrupted) {
        return { result: { code: "Interrupted", message: error.message }, cost: frame.cost };
      }
      throw error;
    }
  }
}

function inputValue(input: CelInput, name: string, types: ReadonlyMap<string, CelType>): CelResult {
  return Object.hasOwn(input, name)
    ? toCel(input[name], types.get(name) ?? dynType)
    : new CelFailure(`no such attribute(s): ${name}`);
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
