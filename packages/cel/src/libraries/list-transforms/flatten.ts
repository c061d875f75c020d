import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { ArrayList, CelList } from "../../values/cel-list.js";
import { dynType, intType, listType, typeParameter } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { typeOf } from "../../values/type-of.js";
import { flattening } from "./list-transform-costs.js";

const anyList = listType(typeParameter("T"));
const dynList = listType(dynType);

/** `flatten`: the elements of a list with those of the lists in it, to a depth of 1 by default. */
export const flatten: FunctionDeclaration = {
  name: "flatten",
  overloads: [
    {
      ...memberOverload(
        "list_flatten",
        [listType(anyList)],
        anyList,
        (list: CelValue) =>
          list instanceof CelList
            ? flattened(list, 1)
            : noSuchOverload(`${typeOf(list).name}.flatten()`),
        flattening,
      ),
      // A list that is flat already reaches the function at run time.
      unguarded: true,
    },
    {
      ...memberOverload(
        "list_flatten_int",
        [dynList, intType],
        dynList,
        (list: CelValue, depth: CelValue) =>
          list instanceof CelList && isInt(depth)
            ? flattened(list, depth)
            : noSuchOverload(`${typeOf(list).name}.flatten(${typeOf(depth).name})`),
        flattening,
      ),
      unguarded: true,
    },
  ],
};

function isInt(value: CelValue): value is CelInt {
  return typeof value === "number" || typeof value === "bigint";
}

function flattened(list: CelList, depth: CelInt): CelList | CelFailure {
  if (depth < 0) {
    return new CelFailure("level must be non-negative");
  }
  const elements: CelValue[] = [];
  collect(list, Number(depth), elements);
  return new ArrayList(elements);
}

function collect(list: CelList, depth: number, elements: CelValue[]): void {
  for (const element of list) {
    if (depth > 0 && element instanceof CelList) {
      collect(element, depth - 1, elements);
    } else {
      elements.push(element);
    }
  }
}
