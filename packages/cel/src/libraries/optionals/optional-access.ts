import { type FunctionDeclaration, overload } from "../../functions/overload.js";
import { operators } from "../../syntax/operators.js";
import { type CelFailure, isFailure, noSuchOverload } from "../../values/cel-failure.js";
import type { CelInt } from "../../values/cel-int.js";
import { CelList } from "../../values/cel-list.js";
import { CelMap } from "../../values/cel-map.js";
import { CelObject } from "../../values/cel-object.js";
import { CelOptional } from "../../values/cel-optional.js";
import {
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  typeParameter,
} from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { elementAt } from "./optional-functions.js";

const keyType = typeParameter("K");
const valueType = typeParameter("V");
const anyList = listType(valueType);
const anyMap = mapType(keyType, valueType);
const anyOptional = optionalType(valueType);
const optionalList = optionalType(anyList);
const optionalMap = optionalType(anyMap);

/** The operators `a.?b` and `a[?b]`, and `a[b]` with an optional a: an optional without a value for what is missing. */
export const optionalAccess: readonly FunctionDeclaration[] = [
  {
    name: operators.optionalSelect,
    overloads: [overload("select_optional_field", [dynType, stringType], anyOptional, fieldOf)],
  },
  {
    name: operators.optionalIndex,
    overloads: [
      overload("list_optindex_optional_int", [anyList, intType], anyOptional, elementOf),
      overload(
        "optional_list_optindex_optional_int",
        [optionalList, intType],
        anyOptional,
        indexOptional,
      ),
      overload("map_optindex_optional_value", [anyMap, keyType], anyOptional, entryOf),
      overload(
        "optional_map_optindex_optional_value",
        [optionalMap, keyType],
        anyOptional,
        indexOptional,
      ),
    ],
  },
  {
    name: operators.index,
    overloads: [
      overload("optional_list_index_int", [optionalList, intType], anyOptional, indexOptional),
      overload("optional_map_index_value", [optionalMap, keyType], anyOptional, indexOptional),
    ],
  },
];

function fieldOf(target: CelValue, name: string): CelOptional | CelFailure {
  if (target instanceof CelOptional) {
    return target.value === undefined ? target : fieldOf(target.value, name);
  }
  if (target instanceof CelMap) {
    return entryOf(target, name);
  }
  return target instanceof CelObject ? new CelOptional(target.field(name)) : CelOptional.none;
}

function elementOf(list: CelList, index: CelInt): CelOptional {
  return elementAt(list, Number(index));
}

function entryOf(map: CelMap, key: CelValue): CelOptional | CelFailure {
  const value = map.find(key);
  return isFailure(value) ? value : new CelOptional(value);
}

function indexOptional({ value }: CelOptional, index: CelValue): CelOptional | CelFailure {
  if (value === undefined) {
    return CelOptional.none;
  }
  if (value instanceof CelMap) {
    return entryOf(value, index);
  }
  const isInt = typeof index === "number" || typeof index === "bigint";
  return value instanceof CelList && isInt ? elementOf(value, index) : noSuchOverload();
}
