import { expandedSize } from "../../syntax/expanded-size.js";
import type { Expression } from "../../syntax/expression.js";
import type { Macro, MacroBuilder } from "../../syntax/macro.js";
import { operators } from "../../syntax/operators.js";

/** `optional.optMap(x, value)`: the optional of a value made of the optional's value. */
const optMap: Macro = optionalMacro("optMap", (build, value) => build.call("optional.of", value));

/** `optional.optFlatMap(x, optional)`: an optional made of the optional's value. */
const optFlatMap: Macro = optionalMacro("optFlatMap", (_build, optional) => optional);

/** The macros over the value of an optional. */
export const optionalMacros: readonly Macro[] = [optMap, optFlatMap];

/**
 * Largest target, in nodes as often as they are used. The target is used twice, so that a chain of n macros takes 2^n
 * evaluations. cel-go has no limit: it takes many seconds for a chain of ten.
 */
const maxTargetSize = 20_000;

function optionalMacro(
  name: string,
  result: (build: MacroBuilder, value: Expression) => Expression,
): Macro {
  return {
    name,
    member: true,
    argumentCount: 2,
    expand(build, target, args) {
      const [variable = target, body = target] = args;
      if (variable.kind !== "identifier") {
        return { problem: `${name}() variable name must be a simple identifier`, at: variable };
      }
      if (expandedSize(target) > maxTargetSize) {
        return {
          problem: `${name}() is chained too often: each link doubles the work`,
          at: target,
        };
      }
      // A loop over nothing, whose accumulator binds the variable.
      const bound = build.comprehension({
        range: build.list(),
        variable: "#unused",
        accumulator: variable.name,
        initial: build.memberCall(build.copy(target), "value"),
        condition: build.literal(false),
        step: build.identifier(variable.name),
        result: body,
      });
      return build.call(
        operators.conditional,
        build.memberCall(target, "hasValue"),
        result(build, bound),
        build.call("optional.none"),
      );
    },
  };
}
