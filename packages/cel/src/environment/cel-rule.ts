import type { SizeOf } from "../cost/estimated-value.js";
import { isStackOverflow, nestedTooDeeply } from "../evaluate/stack-overflow.js";
import { type Conjunct, conjunctsOf } from "../explain/conjuncts.js";
import type { ExplainOptions, Explanation } from "../explain/explanation.js";
import { fromCel } from "../inputs/from-cel.js";
import { toCel } from "../inputs/to-cel.js";
import type { CelLint } from "../lint/lint-expression.js";
import type { ExpressionUses } from "../lint/uses.js";
import type { Expression } from "../syntax/expression.js";
import { CelFailure } from "../values/cel-failure.js";
import { type CelType, dynType } from "../values/cel-type.js";
import type { CelResult } from "../values/cel-value.js";
import type { CelError, EvaluateOptions, Program } from "./program.js";

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
  /** @internal */
  readonly program: Program;
  readonly #types: ReadonlyMap<string, CelType>;

  /** @internal */
  constructor(source: string, program: Program, types: ReadonlyMap<string, CelType>) {
    this.source = source;
    this.variables = program.variables;
    this.program = program;
    this.#types = types;
  }

  /** The syntax tree, frozen. Each part has its range in the text. */
  get ast(): Expression {
    return this.program.ast;
  }

  /** The type of the result. */
  get type(): CelType {
    return this.program.type;
  }

  /** The variables and functions that the expression uses. */
  get uses(): ExpressionUses {
    return this.program.uses;
  }

  /** True if the expression reads no variable, so that every evaluation has the same outcome. */
  get isConstant(): boolean {
    return this.variables.length === 0;
  }

  /** Returns parts that are legal, but hardly meant: that are always true or false, or read nothing. */
  lint(): readonly CelLint[] {
    return this.program.lint();
  }

  /** The parts that can make the expression false on their own: the operands of `&&`. */
  get conjuncts(): readonly Conjunct[] {
    return conjunctsOf(this.program.ast, this.source);
  }

  /** Returns the type of a part of the expression. */
  typeOf(node: Expression): CelType {
    return this.program.typeOf(node);
  }

  /**
   * Estimates the cost before any value is known.
   *
   * @param sizeOf - Returns the sizes that the inputs can have; without it, sizes are unknown and costs unbounded.
   */
  estimate(sizeOf: SizeOf = () => undefined): { readonly min: bigint; readonly max: bigint } {
    return this.program.estimate(sizeOf);
  }

  /** Evaluates the expression. Errors of the expression are in the outcome; nothing is thrown for them. */
  evaluate(input: CelInput, options: EvaluateOptions = {}): Evaluation<T> {
    const { result, cost } = this.program.run(
      (name) => inputValue(input, name, this.#types),
      options,
    );
    if ("code" in result) {
      return { ok: false, error: result, cost };
    }
    try {
      // The type parameter is the caller's promise about the declared result.
      return { ok: true, value: fromCel(result.value) as T, cost };
    } catch (error) {
      if (isStackOverflow(error)) {
        return { ok: false, error: { code: "Failed", message: nestedTooDeeply }, cost };
      }
      throw error;
    }
  }

  /**
   * Explains why the expression is not true: the parts that are false, with the values that they saw. Evaluates the
   * expression again and keeps all values, so that it takes longer than `evaluate`.
   */
  explain(input: CelInput, options: EvaluateOptions & ExplainOptions = {}): Explanation {
    return this.program.explain((name) => inputValue(input, name, this.#types), options);
  }
}

function inputValue(input: CelInput, name: string, types: ReadonlyMap<string, CelType>): CelResult {
  return Object.hasOwn(input, name)
    ? toCel(input[name], types.get(name) ?? dynType)
    : new CelFailure(`no such attribute(s): ${name}`);
}
