import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { ArrayList, type CelList } from "../../values/cel-list.js";
import { listType, typeParameter } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { ElementSet } from "../../values/element-set.js";
import { pairwise, writing } from "./list-transform-costs.js";

const anyList = listType(typeParameter("T"));

/** `distinct`: the first one of equal elements, in the order of the list. */
export const distinct: FunctionDeclaration = {
  name: "distinct",
  overloads: [memberOverload("list_distinct", [anyList], anyList, distinctElements, pairwise)],
};

/** `reverse`: the elements in reverse order. */
export const reverse: FunctionDeclaration = {
  name: "reverse",
  overloads: [
    memberOverload(
      "list_reverse",
      [anyList],
      anyList,
      (list) => new ArrayList([...list].reverse()),
      writing((target) => target?.size),
    ),
  ],
};

function distinctElements(list: CelList): CelList {
  const known = new ElementSet();
  const found: CelValue[] = [];
  for (const element of list) {
    if (!known.has(element)) {
      known.add(element);
      found.push(element);
    }
  }
  return new ArrayList(found);
}
