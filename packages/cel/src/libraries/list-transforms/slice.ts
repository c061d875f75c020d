import { Estimate } from "../../functions/estimate.js";
import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelFailure } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { ArrayList, type CelList } from "../../values/cel-list.js";
import { intType, listType, typeParameter } from "../../values/cel-type.js";
import { literalOr, writing } from "./list-transform-costs.js";

const anyList = listType(typeParameter("T"));

/** `slice`: the elements from a start to before an end. */
export const slice: FunctionDeclaration = {
  name: "slice",
  overloads: [
    memberOverload(
      "list_slice",
      [anyList, intType, intType],
      anyList,
      sliceOf,
      writing((target, [start, end]) =>
        target && start && end
          ? // Wraps around like upstream's unsigned integers if the end is before the start.
            Estimate.exactly(
              BigInt.asUintN(64, literalOr(end, target.size.max) - literalOr(start, 0n)),
            )
          : undefined,
      ),
    ),
  ],
};

function sliceOf(list: CelList, start: CelInt, end: CelInt): CelList | CelFailure {
  const problem =
    start < 0 || end < 0
      ? "negative indexes not supported"
      : start > end
        ? "start index must be less than or equal to end index"
        : end > list.size
          ? `list is length ${list.size}`
          : undefined;
  if (problem !== undefined) {
    return new CelFailure(`cannot slice(${start}, ${end}), ${problem}`);
  }
  return new ArrayList([...list].slice(Number(start), Number(end)));
}
