import type { Expression, Identifier } from "./expression.js";
import { accumulatorName, type MacroProblem } from "./macro.js";

/** Former name of the accumulator, which variables must not have either. */
const formerAccumulatorName = "__result__";

/**
 * Returns the name of the variable that a macro's argument names.
 *
 * @param problem - Message for an argument that is not a name.
 */
export function loopVariable(argument: Expression, problem: string): string | MacroProblem {
  return argument.kind === "identifier"
    ? (accumulatorProblem(argument) ?? argument.name)
    : { problem, at: argument };
}

/** Returns the problem of a variable with the name of the accumulator. */
export function accumulatorProblem(variable: Identifier): MacroProblem | undefined {
  return variable.name === accumulatorName || variable.name === formerAccumulatorName
    ? { problem: "iteration variable overwrites accumulator variable", at: variable }
    : undefined;
}
