import { costSize } from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { CelLibrary } from "../../functions/library.js";
import {
  type FunctionDeclaration,
  type OverloadCosts,
  overload,
} from "../../functions/overload.js";
import type { CelList } from "../../values/cel-list.js";
import { boolType, listType, typeParameter } from "../../values/cel-type.js";
import { ElementSet } from "../../values/element-set.js";

const anyList = listType(typeParameter("T"));

/** cel-go's functions that take lists for sets: the order of elements and repeated elements don't count. */
export const setsLibrary: CelLibrary = {
  name: "cel.lib.ext.sets",
  functions: [
    setFunction("contains", contains, 1),
    setFunction(
      "equivalent",
      (first, second) => contains(first, second) && contains(second, first),
      2,
    ),
    setFunction("intersects", intersects, 1),
  ],
};

function setFunction(
  name: string,
  call: (first: CelList, second: CelList) => boolean,
  comparisons: number,
): FunctionDeclaration {
  return {
    name: `sets.${name}`,
    overloads: [
      overload(`list_sets_${name}_list`, [anyList, anyList], boolType, call, costsOf(comparisons)),
    ],
  };
}

/** Costs of comparing each element of one list with each of the other, once or twice. */
function costsOf(times: number): OverloadCosts {
  return {
    cost: ([first, second]) => 1 + costSize(first) * costSize(second) * times,
    estimate: ({ args: [first, second] }) =>
      first && second
        ? { cost: first.size.multiply(second.size).times(times).add(Estimate.exactly(1)) }
        : undefined,
  };
}

function contains(list: CelList, part: CelList): boolean {
  const known = new ElementSet(list);
  for (const element of part) {
    if (!known.has(element)) {
      return false;
    }
  }
  return true;
}

function intersects(first: CelList, second: CelList): boolean {
  const known = new ElementSet(second);
  for (const element of first) {
    if (known.has(element)) {
      return true;
    }
  }
  return false;
}
