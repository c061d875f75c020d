import type { Expression } from "../../src/syntax/expression.js";
import { accumulatorName, type Macro, type MacroBuilder } from "../../src/syntax/macro.js";

/** An argument of a macro: a name, or a number for something that is not a name. */
type Argument = string | number;

const place = { id: 0, position: 0, start: 0, end: 0 };

const build: MacroBuilder = {
  literal: (value) => ({ kind: "literal", ...place, value }),
  identifier: (name) => ({ kind: "identifier", ...place, name }),
  accumulator: () => ({ kind: "identifier", ...place, name: accumulatorName }),
  call: (name, ...args) => ({ kind: "call", ...place, name, target: undefined, args }),
  memberCall: (target, name, ...args) => ({ kind: "call", ...place, name, target, args }),
  list: (...elements) => ({ kind: "list", ...place, elements, optionals: [] }),
  emptyMap: () => ({ kind: "map", ...place, entries: [] }),
  presenceTest: (operand, field) => ({ kind: "select", ...place, operand, field, testOnly: true }),
  comprehension: (parts) => ({
    kind: "comprehension",
    ...place,
    secondVariable: undefined,
    accumulator: accumulatorName,
    ...parts,
  }),
  copy: (expression) => expression,
};

/** Expands a call of a macro and prints the result, or the problem with the argument it points to. */
export function expand(
  macros: readonly Macro[] | undefined,
  target: Argument,
  name: string,
  ...args: readonly Argument[]
): unknown {
  const macro = macros?.find(
    (candidate) => candidate.name === name && candidate.argumentCount === args.length,
  );
  if (macro === undefined) {
    throw new Error(`no macro ${name} with ${args.length} arguments`);
  }
  const result = macro.expand(build, node(target), args.map(node));
  if ("problem" in result) {
    return { problem: result.problem, at: argumentOf(result.at) };
  }
  return print(result);
}

function node(argument: Argument): Expression {
  return typeof argument === "string" ? build.identifier(argument) : build.literal(argument);
}

function argumentOf(expression: Expression): unknown {
  return expression.kind === "literal" ? expression.value : print(expression);
}

/** A loop is printed as `loop(variables in range, accumulator = initial; condition; step) result`. */
function print(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return String(expression.value);
    case "identifier":
      return expression.name;
    case "select":
      return `${print(expression.operand)}.${expression.field}`;
    case "list":
      return `[${expression.elements.map(print).join(", ")}]`;
    case "map":
      return "{}";
    case "struct":
      return expression.typeName;
    case "call": {
      const target = expression.target === undefined ? "" : `${print(expression.target)}.`;
      return `${target}${expression.name}(${expression.args.map(print).join(", ")})`;
    }
    case "comprehension": {
      const { variable, secondVariable, range, accumulator, initial, condition, step, result } =
        expression;
      const variables = secondVariable === undefined ? variable : `${variable}, ${secondVariable}`;
      return `loop(${variables} in ${print(range)}, ${accumulator} = ${print(initial)}; ${print(condition)}; ${print(step)}) ${print(result)}`;
    }
  }
}
