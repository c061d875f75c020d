import type { Comprehension, Expression, Literal } from "./expression.js";

/** Why the arguments of a macro are wrong; `at` is the argument to point to. */
export interface MacroProblem {
  readonly problem: string;
  readonly at: Expression;
}

/** A call that is replaced while it is parsed, for example `list.all(x, condition)`. */
export interface Macro {
  /** The function's name. */
  readonly name: string;
  /** True for `target.name(...)`. */
  readonly member: boolean;
  /** Number of the arguments in parentheses. */
  readonly argumentCount: number;
  /** Returns the replacement. `target` is defined if and only if `member` is true. */
  readonly expand: (
    build: MacroBuilder,
    target: Expression,
    args: readonly Expression[],
  ) => Expression | MacroProblem;
}

/** A comprehension without what the builder adds. */
export type ComprehensionParts = Pick<
  Comprehension,
  "range" | "variable" | "initial" | "condition" | "step" | "result"
> &
  Partial<Pick<Comprehension, "secondVariable" | "accumulator">>;

/** Creates the nodes of a macro's replacement, with new numbers and the position of the macro's call. */
export interface MacroBuilder {
  literal(value: Literal["value"]): Expression;
  identifier(name: string): Expression;
  /** The accumulator of the comprehension that the macro creates; source text cannot name it. */
  accumulator(): Expression;
  call(name: string, ...args: readonly Expression[]): Expression;
  memberCall(target: Expression, name: string, ...args: readonly Expression[]): Expression;
  list(...elements: readonly Expression[]): Expression;
  emptyMap(): Expression;
  /** `has(operand.field)` */
  presenceTest(operand: Expression, field: string): Expression;
  comprehension(parts: ComprehensionParts): Expression;
  /** A copy with new numbers, for an argument that the replacement has twice. */
  copy(expression: Expression): Expression;
}

/** Name of the accumulator of comprehensions. */
export const accumulatorName = "@result";
