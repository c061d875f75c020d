import type { Expression } from "../../syntax/expression.js";
import { loopVariable } from "../../syntax/loop-variable.js";
import type { Macro } from "../../syntax/macro.js";
import { operators } from "../../syntax/operators.js";

/** Variable that holds the list while its keys are computed; source text cannot name it. */
const inputName = "@__sortBy_input__";

/** Kinds of expressions that may be a list. */
const sortable: readonly Expression["kind"][] = [
  "list",
  "select",
  "identifier",
  "comprehension",
  "call",
];

/** `list.sortBy(x, key)`: sorts by the key of each element. */
export const sortByMacro: Macro = {
  name: "sortBy",
  member: true,
  argumentCount: 2,
  expand(build, target, args) {
    if (!sortable.includes(target.kind)) {
      return {
        problem:
          "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
        at: target,
      };
    }
    const [argument = target, key = target] = args;
    const variable = loopVariable(argument, "argument is not an identifier");
    if (typeof variable !== "string") {
      return variable;
    }
    const keys = build.comprehension({
      range: build.identifier(inputName),
      variable,
      initial: build.list(),
      condition: build.literal(true),
      step: build.call(operators.add, build.accumulator(), build.list(key)),
      result: build.accumulator(),
    });
    return build.comprehension({
      range: build.list(),
      variable: "#unused",
      accumulator: inputName,
      initial: target,
      condition: build.literal(false),
      step: build.identifier(inputName),
      result: build.memberCall(build.identifier(inputName), "@sortByAssociatedKeys", keys),
    });
  },
};
