import type { Expression } from "../../syntax/expression.js";
import { accumulatorProblem } from "../../syntax/loop-variable.js";
import type { ComprehensionParts, Macro, MacroBuilder, MacroProblem } from "../../syntax/macro.js";

/** The parts of a loop that differ between the macros. */
type Loop = Pick<ComprehensionParts, "initial" | "condition" | "step" | "result">;

/** The arguments behind the two variables. */
export interface LoopArguments {
  /** Evaluated for each element. */
  readonly body: Expression;
  /** The condition in front of the body, in macros with four arguments. */
  readonly filter: Expression | undefined;
  /** Name of the first variable: the index or the key. */
  readonly key: string;
}

/**
 * Creates a macro over a list or a map: `target.name(key, value, body)`, or `target.name(key, value, filter, body)` with
 * four arguments.
 *
 * @param loop - Returns the loop for the macro's arguments.
 */
export function loopMacro(
  name: string,
  argumentCount: 3 | 4,
  loop: (build: MacroBuilder, args: LoopArguments) => Loop,
): Macro {
  return {
    name,
    member: true,
    argumentCount,
    expand(build, target, args) {
      const [first = target, second = target, third = target, fourth = third] = args;
      const variables = loopVariables(first, second);
      if ("problem" in variables) {
        return variables;
      }
      const filter = argumentCount === 4 ? third : undefined;
      const parts = loop(build, { body: fourth, filter, key: variables.variable });
      return build.comprehension({ range: target, ...variables, ...parts });
    },
  };
}

function loopVariables(
  first: Expression,
  second: Expression,
): Pick<Required<ComprehensionParts>, "variable" | "secondVariable"> | MacroProblem {
  const notName = "argument must be a simple name";
  if (first.kind !== "identifier") {
    return { problem: notName, at: first };
  }
  if (second.kind !== "identifier") {
    return { problem: notName, at: second };
  }
  if (first.name === second.name) {
    return { problem: `duplicate variable name: ${first.name}`, at: second };
  }
  return (
    accumulatorProblem(first) ??
    accumulatorProblem(second) ?? { variable: first.name, secondVariable: second.name }
  );
}
