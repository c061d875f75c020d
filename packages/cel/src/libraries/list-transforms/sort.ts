import { lazyFunction } from "../../functions/lazy-function.js";
import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelFailure, noSuchOverload } from "../../values/cel-failure.js";
import { ArrayList, CelList } from "../../values/cel-list.js";
import { listType, typeParameter } from "../../values/cel-type.js";
import type { CelResult, CelValue } from "../../values/cel-value.js";
import { compare, isComparable } from "../../values/compare.js";
import { typeOf } from "../../values/type-of.js";
import { comparableTypes } from "../lists/comparable-types.js";
import { sorting, sortingByKeys } from "./list-transform-costs.js";

const anyList = listType(typeParameter("T"));

/** `sort`: the elements in their order. */
export const sort: FunctionDeclaration = lazyFunction("sort", () =>
  comparableTypes.map((type) => ({
    ...memberOverload(
      `list_${type.name}_sort`,
      [listType(type)],
      listType(type),
      (list) => sortedBy(list, list),
      sorting(type),
    ),
    dynamicCall: (list) => sortAny("sort", list, list),
  })),
);

/** The function behind the macro `sortBy`: the elements in the order of their keys, a list of the same size. */
export const sortByAssociatedKeys: FunctionDeclaration = lazyFunction("@sortByAssociatedKeys", () =>
  comparableTypes.map((type) => ({
    ...memberOverload(
      `list_${type.name}_sortByAssociatedKeys`,
      [anyList, listType(type)],
      anyList,
      sortedBy,
      sortingByKeys(type),
    ),
    dynamicCall: (list, keys) => sortAny("@sortByAssociatedKeys", list, keys),
  })),
);

function sortAny(name: string, list: CelValue | undefined, keys: CelValue | undefined): CelResult {
  return list instanceof CelList && keys instanceof CelList
    ? sortedBy(list, keys)
    : noSuchOverload(name);
}

function sortedBy(list: CelList, keys: CelList): CelList | CelFailure {
  if (list.size !== keys.size) {
    return new CelFailure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  const values = [...keys];
  const [first] = values;
  if (first === undefined) {
    return list;
  }
  if (!isComparable(first)) {
    return new CelFailure("list elements must be comparable");
  }
  const type = typeOf(first);
  if (!values.every((value) => typeOf(value) === type)) {
    return new CelFailure("list elements must have the same type");
  }
  const entries = values.map((key, index) => ({ key, value: list.at(index) }));
  // NaN has no order: it counts as equal to every number.
  entries.sort((a, b) => compare(a.key, b.key) ?? 0);
  return new ArrayList(entries.map(({ value }) => value));
}
