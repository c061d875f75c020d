import { lazyFunction } from "../../functions/lazy-function.js";
import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import type { CelList } from "../../values/cel-list.js";
import { boolType, listType } from "../../values/cel-type.js";
import type { CelResult, CelValue } from "../../values/cel-value.js";
import { compare, isComparable } from "../../values/compare.js";
import { comparableTypes } from "./comparable-types.js";
import { elementwise } from "./list-costs.js";

/** `isSorted`: true if no element is greater than its successor. */
export const isSorted: FunctionDeclaration = lazyFunction("isSorted", () =>
  comparableTypes.map((type) =>
    memberOverload(
      `list_${type}_is_sorted_bool`,
      [listType(type)],
      boolType,
      (list) => isInOrder(list),
      elementwise,
    ),
  ),
);

/** `min`: the smallest element. */
export const min: FunctionDeclaration = extreme("min", (order) => order > 0);

/** `max`: the greatest element. */
export const max: FunctionDeclaration = extreme("max", (order) => order < 0);

function extreme(name: string, isBetter: (order: number) => boolean): FunctionDeclaration {
  return lazyFunction(name, () =>
    comparableTypes.map((type) =>
      memberOverload(
        `list_${type}_${name}_${type}`,
        [listType(type)],
        type,
        (list) => findExtreme(name, list, isBetter),
        elementwise,
      ),
    ),
  );
}

/** Values without a common order, such as NaN or a string beside a number, count as sorted. */
function isInOrder(list: CelList): boolean | CelFailure {
  let previous: CelValue | undefined;
  for (const element of list) {
    if (!isComparable(element)) {
      return noSuchOverload();
    }
    if (previous !== undefined && (compare(previous, element) ?? 0) > 0) {
      return false;
    }
    previous = element;
  }
  return true;
}

function findExtreme(name: string, list: CelList, isBetter: (order: number) => boolean): CelResult {
  let best: CelValue | undefined;
  for (const element of list) {
    if (!isComparable(element)) {
      return noSuchOverload();
    }
    if (best === undefined || isBetter(compare(best, element) ?? 0)) {
      best = element;
    }
  }
  return best ?? new CelFailure(`${name} called on empty list`);
}
