import type { Expression } from "./expression.js";
import { accumulatorName, type Macro, type MacroProblem } from "./macro.js";
import { operators } from "./operators.js";

/** Former name of the accumulator, which variables must not have either. */
const formerAccumulatorName = "__result__";

/** The macros that every version of Kubernetes has. */
export const standardMacros: readonly Macro[] = [
  {
    name: "has",
    member: false,
    argumentCount: 1,
    expand(build, _target, args) {
      const [argument] = args;
      return argument?.kind === "select"
        ? build.presenceTest(argument.operand, argument.field)
        : problemAt(argument, "invalid argument to has() macro");
    },
  },
  quantifier("all", (build, condition) => ({
    initial: build.literal(true),
    condition: build.call(operators.notStrictlyFalse, build.accumulator()),
    step: build.call(operators.and, build.accumulator(), condition),
    result: build.accumulator(),
  })),
  quantifier("exists", (build, condition) => ({
    initial: build.literal(false),
    condition: build.call(
      operators.notStrictlyFalse,
      build.call(operators.not, build.accumulator()),
    ),
    step: build.call(operators.or, build.accumulator(), condition),
    result: build.accumulator(),
  })),
  quantifier("exists_one", (build, condition) => ({
    initial: build.literal(0),
    condition: build.literal(true),
    step: build.call(
      operators.conditional,
      condition,
      build.call(operators.add, build.accumulator(), build.literal(1)),
      build.accumulator(),
    ),
    result: build.call(operators.equal, build.accumulator(), build.literal(1)),
  })),
  transformation("map", 2, (build, [, transform]) =>
    build.call(operators.add, build.accumulator(), build.list(transform)),
  ),
  transformation("map", 3, (build, [, condition, transform = condition]) =>
    build.call(
      operators.conditional,
      condition,
      build.call(operators.add, build.accumulator(), build.list(transform)),
      build.accumulator(),
    ),
  ),
  transformation("filter", 2, (build, [variable, condition]) =>
    build.call(
      operators.conditional,
      condition,
      build.call(operators.add, build.accumulator(), build.list(variable)),
      build.accumulator(),
    ),
  ),
];

type Build = Parameters<Macro["expand"]>[0];
type Loop = Pick<
  Parameters<Build["comprehension"]>[0],
  "initial" | "condition" | "step" | "result"
>;
type Arguments = readonly [variable: Expression, second: Expression, third?: Expression];

/** A macro that counts the elements for which a condition holds. */
function quantifier(name: string, loop: (build: Build, condition: Expression) => Loop): Macro {
  return {
    name,
    member: true,
    argumentCount: 2,
    expand(build, range, args) {
      const [first, condition] = args;
      const variable = variableOf(first, "argument must be a simple name");
      return typeof variable === "string" && condition !== undefined
        ? build.comprehension({ range, variable, ...loop(build, condition) })
        : problemOf(variable);
    },
  };
}

/** A macro that creates a list. */
function transformation(
  name: string,
  argumentCount: number,
  step: (build: Build, args: Arguments) => Expression,
): Macro {
  return {
    name,
    member: true,
    argumentCount,
    expand(build, range, args) {
      const [first, second, third] = args;
      const variable = variableOf(first, "argument is not an identifier");
      if (typeof variable !== "string" || first === undefined || second === undefined) {
        return problemOf(variable);
      }
      return build.comprehension({
        range,
        variable,
        initial: build.list(),
        condition: build.literal(true),
        step: step(build, third === undefined ? [first, second] : [first, second, third]),
        result: build.accumulator(),
      });
    },
  };
}

/** Returns the name of a loop's variable, or what is wrong with it. */
function variableOf(argument: Expression | undefined, problem: string): string | MacroProblem {
  if (argument?.kind !== "identifier") {
    return problemAt(argument, problem);
  }
  const { name } = argument;
  return name === accumulatorName || name === formerAccumulatorName
    ? problemAt(argument, "iteration variable overwrites accumulator variable")
    : name;
}

function problemOf(found: string | MacroProblem): MacroProblem {
  if (typeof found === "string") {
    throw new RangeError(`a macro was called without all arguments; its variable is ${found}`);
  }
  return found;
}

function problemAt(at: Expression | undefined, problem: string): MacroProblem {
  if (at === undefined) {
    throw new RangeError("a macro was called without arguments");
  }
  return { problem, at };
}
