import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelList } from "../../values/cel-list.js";
import { boolType, dynType, intType, listType, typeParameter } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { isEqual } from "../../values/equals.js";
import { elementwise, membership } from "./list-costs.js";

const element = typeParameter("A");

/** `indexOf`: the index of the first equal element, else -1. */
export const indexOf: FunctionDeclaration = {
  name: "indexOf",
  overloads: [
    memberOverload(
      "list_a_index_of_int",
      [listType(element), element],
      intType,
      firstIndex,
      elementwise,
    ),
  ],
};

/** `lastIndexOf`: the index of the last equal element, else -1. */
export const lastIndexOf: FunctionDeclaration = {
  name: "lastIndexOf",
  overloads: [
    memberOverload(
      "list_a_last_index_of_int",
      [listType(element), element],
      intType,
      lastIndex,
      elementwise,
    ),
  ],
};

/** `includes`: true if a list has an equal element, or if a value that is not a list is equal. */
export const includes: FunctionDeclaration = {
  name: "includes",
  overloads: [
    memberOverload(
      "list_includes_dyn_dyn",
      [dynType, dynType],
      boolType,
      (target, item) =>
        target instanceof CelList ? firstIndex(target, item) >= 0 : isEqual(target, item),
      membership,
    ),
  ],
};

function firstIndex(list: CelList, item: CelValue): number {
  let index = 0;
  for (const candidate of list) {
    if (isEqual(candidate, item)) {
      return index;
    }
    index += 1;
  }
  return -1;
}

function lastIndex(list: CelList, item: CelValue): number {
  for (let index = list.size - 1; index >= 0; index -= 1) {
    if (isEqual(list.at(index), item)) {
      return index;
    }
  }
  return -1;
}
