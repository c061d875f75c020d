import type { Call, Expression } from "../syntax/expression.js";
import { isFailure } from "../values/cel-failure.js";
import type { CelType } from "../values/cel-type.js";
import { clauseRules, refused } from "./clause-rules.js";
import { type Clause, fillTemplate, type Verb } from "./template.js";

/** A mistake in a call of `format`, and the node to point to. */
export interface FormatProblem {
  readonly problem: string;
  readonly at: Expression;
}

/**
 * Checks a call `"template".format([arguments])` without evaluating it; Kubernetes does so from 1.29 on.
 *
 * @param typeOf - Returns the type of a node.
 * @returns `undefined` if nothing is wrong, or if the template or the list is not written out.
 */
export function formatProblem(
  call: Call,
  typeOf: (node: Expression) => CelType,
): FormatProblem | undefined {
  const { name, target, args } = call;
  const [list] = args;
  if (
    name !== "format" ||
    target?.kind !== "literal" ||
    typeof target.value !== "string" ||
    list?.kind !== "list" ||
    args.length > 1
  ) {
    return undefined;
  }
  const { elements } = list;
  let used = 0;
  let at: Expression = call;
  const check = ({ verb, index }: Clause) => {
    used += 1;
    const wrong = wrongArgument(verb, elements[index] ?? list, typeOf);
    at = wrong ?? at;
    return wrong === undefined ? "" : refused(verb, typeOf(wrong).name);
  };
  const result = fillTemplate(target.value, elements.length, check, true);
  if (isFailure(result)) {
    return { problem: result.message, at };
  }
  return elements.length > used
    ? {
        problem: `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`,
        at: call,
      }
    : undefined;
}

/** Returns the part of an argument whose type a verb does not take. */
function wrongArgument(
  verb: Verb,
  argument: Expression,
  typeOf: (node: Expression) => CelType,
): Expression | undefined {
  const { kind } = typeOf(argument);
  if (kind !== "dyn" && !clauseRules[verb].kinds.includes(kind)) {
    return argument;
  }
  if (verb !== "s") {
    return undefined;
  }
  for (const part of partsOf(argument)) {
    const wrong = wrongArgument(verb, part, typeOf);
    if (wrong !== undefined) {
      return wrong;
    }
  }
  return undefined;
}

function partsOf(argument: Expression): readonly Expression[] {
  if (argument.kind === "list") {
    return argument.elements;
  }
  return argument.kind === "map" ? argument.entries.flatMap(({ key, value }) => [key, value]) : [];
}
